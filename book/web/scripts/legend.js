'use strict';

// What the colours of a drawing mean.
(() => {
    const lanes = (globalThis.lanes ??= {});

    /**
     * A legend: a list of swatches with words.
     * @param {Array<[string, string]>} entries CSS class of the swatch, which gives `fill` and `stroke`, and words
     * @returns {HTMLElement} a list
     */
    lanes.legend = (entries) => lanes.html('ul', {class: 'live-legend'}, ...entries.map(entryNode));

    function entryNode([swatch, words]) {
        const box = lanes.svg('rect', {x: 1, y: 1, width: 16, height: 12, class: swatch});
        return lanes.html('li', {}, lanes.svg('svg', {width: 18, height: 14, 'aria-hidden': 'true'}, box), words);
    }
})();
