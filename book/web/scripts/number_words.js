'use strict';

// Numbers as the book writes them.
(() => {
    const lanes = (globalThis.lanes ??= {});

    /**
     * A number in the words of the book: 65,536.
     * @param {number} number any
     * @param {number} [digits] after the point
     * @returns {string} with commas
     */
    lanes.inWords = (number, digits = 0) => {
        const fraction = {minimumFractionDigits: digits, maximumFractionDigits: digits};
        // As the programs that printed the book's other numbers: 81.25 is 81.2.
        return number.toLocaleString('en-US', {...fraction, roundingMode: 'halfEven'});
    };

    /**
     * A part of a whole: 66.7 %, which no line breaks.
     * @param {number} share 0 to 1
     * @returns {string} in percent
     */
    lanes.inPercent = (share) => `${lanes.inWords(100 * share, 1)}\u00a0%`;

    /**
     * A number with its noun: 1 block, 2 blocks.
     * @param {number} number how many
     * @param {string} noun of one; more get an s
     * @returns {string} both
     */
    lanes.counted = (number, noun) => `${lanes.inWords(number)} ${noun}${number === 1 ? '' : 's'}`;
})();
