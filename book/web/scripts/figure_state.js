'use strict';

// The state of a figure as text: `offset:1,stride:2`, in the address of the page or in the page itself.
(() => {
    const lanes = (globalThis.lanes ??= {});

    /**
     * A piece of a figure's state.
     * @typedef {object} Field
     * @property {string} name key in the state
     * @property {*} value what it is at first
     * @property {(text: string) => *} parse the value of a text, `undefined` if it is none
     * @property {(value: *) => string} format the text of a value: letters, digits, `.`, `_` and `-`
     */

    /**
     * The field that a control sets.
     * @param {import('./figure_controls.js').Control} control what the reader operates
     * @returns {Field} how its value is read and written
     */
    lanes.fieldOf = (control) => {
        const {name, value} = control;
        if (control.type === 'checkbox')
            return {name, value, parse: (text) => ({__proto__: null, 0: false, 1: true})[text],
                    format: (on) => (on ? '1' : '0')};
        if (control.type === 'select') {
            const values = control.options.map((option) => option[0]);
            return {name, value, parse: (text) => values.find((known) => String(known) === text), format: String};
        }
        return {name, value, parse: (text) => numberOf(text, control), format: String};
    };

    /**
     * Reads a state. A figure goes on with what it understands: an old link must not break the page.
     * @param {string} text `name:value` pairs with commas between them
     * @param {Field[]} fields what the figure knows
     * @returns {{state: Record<string, *>, unknown: string[]}} the values, and the pairs that mean nothing
     */
    lanes.parseState = (text, fields) => {
        const state = {};
        const unknown = [];
        for (const pair of text.split(',').filter((part) => part !== '')) {
            const colon = pair.indexOf(':');
            const field = fields.find((known) => known.name === pair.slice(0, colon));
            const value = field?.parse(pair.slice(colon + 1));
            if (value === undefined)
                unknown.push(pair);
            else
                state[field.name] = value;
        }
        return {state, unknown};
    };

    /**
     * Writes what differs from the figure's first state.
     * @param {Record<string, *>} state of the figure
     * @param {Record<string, *>} first its state when the page was opened without any
     * @param {Field[]} fields what the figure knows
     * @returns {string} empty if nothing differs
     */
    lanes.formatState = (state, first, fields) =>
        fields.map((field) => [field.name, field.format(state[field.name]), field.format(first[field.name])])
            .filter(([, now, before]) => now !== before)
            .map(([name, now]) => `${name}:${now}`)
            .join(',');

    /**
     * A query with one parameter set anew and the others as they were.
     * @param {string} query `?a=1&b=2`, or empty
     * @param {string} name of the parameter
     * @param {string} text its value; empty: the parameter goes
     * @returns {string} the new query, empty or beginning with `?`
     */
    lanes.queryWith = (query, name, text) => {
        const others = query.replace(/^\?/, '').split('&');
        const parameters = others.filter((part) => part !== '' && !part.startsWith(`${name}=`));
        if (text !== '') parameters.push(`${name}=${text}`);
        return parameters.length ? `?${parameters.join('&')}` : '';
    };

    /** The nearest value that a range or number control can take. */
    function numberOf(text, {min, max, step = 1}) {
        const number = Number(text);
        if (text === '' || !Number.isFinite(number)) return undefined;
        const steps = Math.round((Math.min(Math.max(number, min), max) - min) / step);
        return Number((min + steps * step).toPrecision(12));  // 0.1 + 0.2 is 0.3 to a reader
    }
})();
