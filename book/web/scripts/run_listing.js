'use strict';

// The listing above a run: a column with what each line cost, and marks on lines that a fault names.
(() => {
    const lanes = (globalThis.lanes ??= {});

    /**
     * Counts of a line of source, as `lanes run --json` has them.
     * @typedef {{file: string, line: number, counters: Record<string, number>}} LineCounts
     */

    /**
     * What a measure makes of counters.
     * @param {{numerators: string[], denominators: string[]}} measure one of the book's
     * @param {Record<string, number>} counters by Nsight Compute's names; what is missing is 0
     * @returns {number|null} null if there is nothing to divide by
     */
    lanes.measure = ({numerators, denominators}, counters) => {
        const sum = (names) => names.reduce((total, name) => total + (counters[name] ?? 0), 0);
        if (denominators.length === 0) return sum(numerators);
        return sum(denominators) === 0 ? null : sum(numerators) / sum(denominators);
    };

    /**
     * A number as the book writes it: whole, or with a few digits.
     * @param {number|null} value any
     * @returns {string} empty for null
     */
    lanes.numberText = (value) =>
        value === null ? '' : value.toLocaleString('en', {maximumFractionDigits: value < 100 ? 2 : 1});

    /** A listing in the page. */
    lanes.RunListing = class RunListing {
        #frame;
        #code;
        #file;
        #lines;
        #column = null;

        /** @param {HTMLElement} run the element that belongs to the listing */
        constructor(run) {
            this.#frame = run.closest('.snippet');
            this.#code = this.#frame.querySelector('div[class^="highlight"] pre');
            this.#file = run.dataset.file;
            this.#lines = run.dataset.lines.split(' ').map(Number);
        }

        /**
         * Whether a line is one of those shown.
         * @param {string} file its source
         * @param {number} line its number there
         */
        shows(file, line) {
            return file === this.#file && line > 0 && this.#lines.includes(line);
        }

        /**
         * Where a line of the same source can be read that this listing leaves out.
         * @param {string} file its source
         * @param {number} line its number there
         * @returns {string|null} an address; null for other sources
         */
        addressOf(file, line) {
            const link = this.#frame.querySelector('.code-block-caption a[href*="#line-"]');
            return file === this.#file && line > 0 && link ? link.href.replace(/#.*/, `#line-${line}`) : null;
        }

        /**
         * Code of a row.
         * @param {number} line its number in the source
         * @returns {string} without the blanks around it
         */
        code(line) {
            return this.#code.textContent.split('\n')[this.#lines.indexOf(line)]?.trim() ?? '';
        }

        /**
         * Shows what each line cost: colour and number. It takes the place of the counts that were printed there.
         * @param {string} title of the measure, in one line or several
         * @param {(counters: Record<string, number>) => number|null} value what the measure makes of a line's counters
         * @param {LineCounts[]} counts of all lines
         */
        heat(title, value, counts) {
            const values = this.#lines.map((line) => {
                const counted = counts.find((count) => count.file === this.#file && count.line === line && line > 0);
                return counted ? value(counted.counters) || null : null;
            });
            const greatest = Math.max(...values.map((found) => found ?? 0));
            const texts = values.map(lanes.numberText);
            const heads = title.split('\n');
            const width = Math.max(...[...heads, ...texts].map((text) => text.length));
            const rows = texts.map((text, row) => {
                const heated = text === '' ? {class: 'count'}
                    : {class: 'count counted', style: `--share:${(values[row] / greatest).toFixed(2)}`};
                return lanes.html('span', heated, text.padStart(width));
            });
            const pre = lanes.html('pre');
            rows.forEach((row, at) => pre.append(...(at ? ['\n', row] : [row])));
            const headText = heads.map((line) => line.padStart(width)).join('\n');
            const head = lanes.html('div', {class: 'line-counts-head'}, lanes.html('span', {class: 'count'}, headText));
            this.#replaceColumn(lanes.html('div', {class: 'line-counts', 'aria-hidden': 'true'}, head, pre));
        }

        /** Takes numbers and mark of the last run away. */
        clear() {
            this.clearMark();
            if (this.#column) this.heat('Your run', () => null, []);
        }

        #replaceColumn(column) {
            const before = this.#column ?? this.#frame.querySelector('.line-counts');
            if (before)
                before.replaceWith(column);
            else
                this.#code.closest('.snippet > div[class^="highlight"]').before(column);
            this.#frame.classList.add('snippet-with-counts');
            this.#frame.querySelector(':scope > .line-counts-fold')?.remove();
            this.#column = column;
        }

        /**
         * Marks a line, scrolls to it and puts the focus there.
         * @param {number} line its number in the source
         * @param {string} words why, for those who hear the page
         */
        focusLine(line, words) {
            this.clearMark();
            const style = getComputedStyle(this.#code);
            const height = parseFloat(style.lineHeight);
            const mark = lanes.html('div', {
                class: 'run-mark',
                tabindex: -1,
                role: 'note',
                'aria-label': `Line ${line}: ${this.code(line)} ${words}`,
                style: `top:${parseFloat(style.paddingTop) + this.#lines.indexOf(line) * height}px;height:${height}px`,
            });
            this.#code.classList.add('run-marked');
            this.#code.append(mark);
            mark.scrollIntoView({block: 'center'});
            mark.focus({preventScroll: true});
        }

        /** Takes the mark away. */
        clearMark() {
            this.#code.querySelector('.run-mark')?.remove();
        }
    };
})();
