'use strict';

// The controls of a figure: native inputs with labels, so that keyboard, touch and screen readers come with them.
(() => {
    const lanes = (globalThis.lanes ??= {});

    /**
     * What a reader operates. `type` says how it looks; `number` and `range` need `min` and `max`.
     * @typedef {object} Control
     * @property {string} name key in the figure's state; letters, digits and `_`
     * @property {string} label words beside it
     * @property {string|[string, string]} [unit] follows the number of a `range`; two words: for one and for others
     * @property {'range'|'select'|'checkbox'|'number'} type which input
     * @property {number} [min] least value
     * @property {number} [max] greatest value
     * @property {number} [step] distance of values, 1 if not given
     * @property {Array<[string|number, string]>} [options] of a `select`: value and label
     * @property {string|number|boolean} value at first
     */

    /**
     * What a state allows of a control at the moment.
     * @typedef {object} Limits
     * @property {number} [min] in place of the control's own
     * @property {number} [max] in place of the control's own
     * @property {boolean} [disabled] it cannot be operated now
     * @property {boolean} [hidden] it means nothing now
     */

    /**
     * A control in the page.
     * @typedef {object} MadeControl
     * @property {HTMLElement} node label and input
     * @property {(value: *, limits?: Limits) => void} show sets what the input shows
     */

    /**
     * Makes one control.
     * @param {Control} control what it is
     * @param {string} id unique in the page
     * @param {(value: *) => void} changed called with each new value, also while a slider moves
     * @returns {MadeControl} its node, and a function that shows a value
     */
    lanes.makeControl = (control, id, changed) => {
        const {node, show} = makers[control.type](control, id, changed);
        return {
            node,
            show: (value, limits) => {
                node.hidden = limits?.hidden ?? false;
                show(value, limits);
            },
        };
    };

    const makers = {range: makeRange, number: makeNumber, select: makeSelect, checkbox: makeCheckbox};

    function labelled(control, id, ...parts) {
        const label = lanes.html('label', {'for': id}, control.label);
        return lanes.html('div', {class: `live-control live-${control.type}`}, label, ...parts);
    }

    function numericInput(type, control, id, limits = {}) {
        const {min, max, step = 1} = {...control, ...limits};
        return lanes.html('input', {type, id, min, max, step});
    }

    function setLimits(input, control, {min = control.min, max = control.max, disabled = false} = {}) {
        input.min = min;
        input.max = max;
        input.disabled = disabled;
    }

    function makeRange(control, id, changed) {
        const input = numericInput('range', control, id);
        const [one, many = one] = [control.unit ?? ''].flat();
        const text = (value) => `${value} ${value === 1 ? one : many}`.trim();
        // Not an output element: screen readers hear of the slider's value from the slider.
        const shown = lanes.html('span', {class: 'live-value', 'aria-hidden': 'true'});
        input.addEventListener('input', () => changed(input.valueAsNumber));
        const show = (value, limits) => {
            setLimits(input, control, limits);
            input.value = value;
            input.setAttribute('aria-valuetext', text(value));
            shown.textContent = text(value);
        };
        return {node: labelled(control, id, shown, input), show};
    }

    function makeNumber(control, id, changed) {
        const input = numericInput('number', control, id);
        const parse = lanes.fieldOf(control).parse;
        // While a number is typed, what does not count yet is left alone; at the end it becomes the nearest that does.
        let last = control.value;
        const set = (value) => {
            last = value;
            changed(value);
        };
        input.addEventListener('input', () => {
            if (input.validity.valid && input.value !== '') set(input.valueAsNumber);
        });
        input.addEventListener('change', () => {
            const value = parse(input.value) ?? last;
            input.value = value;
            set(value);
        });
        const show = (value, limits) => {
            setLimits(input, control, limits);
            last = value;
            if (document.activeElement !== input) input.value = value;
        };
        return {node: labelled(control, id, input), show};
    }

    function makeSelect(control, id, changed) {
        const options = control.options.map(([value, label]) => lanes.html('option', {value}, label));
        const input = lanes.html('select', {id}, ...options);
        input.addEventListener('change', () => changed(control.options[input.selectedIndex][0]));
        const show = (value, limits = {}) => {
            input.selectedIndex = control.options.findIndex((option) => option[0] === value);
            input.disabled = limits.disabled ?? false;
        };
        return {node: labelled(control, id, input), show};
    }

    function makeCheckbox(control, id, changed) {
        const input = lanes.html('input', {type: 'checkbox', id});
        input.addEventListener('change', () => changed(input.checked));
        const show = (value, limits = {}) => {
            input.checked = value;
            input.disabled = limits.disabled ?? false;
        };
        return {node: labelled(control, id, input), show};
    }
})();
