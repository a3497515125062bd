'use strict';

// Makes HTML and SVG elements. What a reader typed only ever becomes text or an attribute, never markup.
(() => {
    const lanes = (globalThis.lanes ??= {});

    /**
     * An HTML element.
     * @param {string} tag its name
     * @param {Record<string, string|number|boolean|undefined>} [attributes] `true` gives an empty attribute, `false`
     *     and `undefined` give none; but ARIA's have the words
     * @param {...(Node|string)} children what it holds
     * @returns {HTMLElement} the element
     */
    lanes.html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

    /**
     * An SVG element; see {@link lanes.html}.
     * @param {string} tag its name
     * @param {Record<string, string|number|boolean|undefined>} [attributes] as for HTML
     * @param {...(Node|string)} children what it holds
     * @returns {SVGElement} the element
     */
    lanes.svg = (tag, attributes = {}, ...children) =>
        filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

    /**
     * A drawing as large as it is shown, so that text has the size it is given.
     * @param {number} width CSS pixels
     * @param {number} height CSS pixels
     * @param {Record<string, *>} attributes names and values
     * @param {...(Node|string)} children what it holds
     * @returns {SVGElement} the element
     */
    lanes.svgPicture = (width, height, attributes, ...children) =>
        lanes.svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, ...attributes}, ...children);

    /**
     * Words in a drawing.
     * @param {number} x where they begin, end or have their middle
     * @param {number} y of their baseline
     * @param {'start'|'middle'|'end'} anchor which of the three
     * @param {string} words what they say
     * @param {string} [className] CSS class
     * @returns {SVGElement} the element
     */
    lanes.svgText = (x, y, anchor, words, className) =>
        lanes.svg('text', {x, y, 'text-anchor': anchor, class: className}, words);

    function filled(element, attributes, children) {
        for (const [name, value] of Object.entries(attributes)) {
            const isFlag = typeof value === 'boolean' && !name.startsWith('aria-');
            if (value === undefined || (isFlag && !value)) continue;
            element.setAttribute(name, isFlag ? '' : String(value));
        }
        element.append(...children);
        return element;
    }
})();
