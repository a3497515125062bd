'use strict';

// What a launch did, as nodes of the page: faults, counters, elements of the result.
(() => {
    const lanes = (globalThis.lanes ??= {});

    const mostRows = 16;
    const mostColumns = 16;
    const mostInARow = 64;

    const summary = ['load_requests', 'load_sectors', 'store_requests', 'store_sectors', 'load_wavefronts',
                     'store_wavefronts', 'load_conflicts', 'store_conflicts', 'instructions', 'lanes'];

    /**
     * A table of the counters of the whole launch.
     * @param {Record<string, object>} measures the book's
     * @param {Record<string, number>} counters of the launch
     * @returns {HTMLElement}
     */
    lanes.counterTable = (measures, counters) => {
        const rows = summary.map((name) => lanes.html(
            'tr', {}, lanes.html('th', {scope: 'row'}, measures[name].title),
            lanes.html('td', {'data-measure': name}, lanes.numberText(lanes.measure(measures[name], counters)))));
        return lanes.html('table', {class: 'run-counters'}, lanes.html('caption', {}, 'The whole launch'),
                          lanes.html('tbody', {}, ...rows));
    };

    /**
     * A table of what each line of the listing cost: the numbers of the column, for everyone.
     * @param {lanes.RunListing} listing beside it
     * @param {string} title of the measure
     * @param {(counters: Record<string, number>) => number|null} value what the measure makes of a line's counters
     * @param {import('./run_listing.js').LineCounts[]} counts of all lines
     * @returns {HTMLElement}
     */
    lanes.lineTable = (listing, title, value, counts) => {
        const rows = counts.filter(({file, line, counters}) => listing.shows(file, line) && value(counters))
            .map(({line, counters}) => lanes.html(
                'tr', {}, lanes.html('th', {scope: 'row'}, String(line)),
                lanes.html('td', {}, lanes.html('code', {}, listing.code(line))),
                lanes.html('td', {class: 'number'}, lanes.numberText(value(counters)))));
        const head = ['Line', 'Code', title].map((text) => lanes.html('th', {scope: 'col'}, text));
        return lanes.html('table', {class: 'run-lines'}, lanes.html('thead', {}, lanes.html('tr', {}, ...head)),
                          lanes.html('tbody', {}, ...rows));
    };

    /**
     * The faults, each with the lines that it names.
     * @param {lanes.RunListing} listing whose lines can be gone to
     * @param {object[]} faults as `lanes run --json` has them
     * @returns {HTMLElement}
     */
    lanes.faultList = (listing, faults) =>
        lanes.html('ul', {class: 'run-faults'}, ...faults.map((fault) => faultItem(listing, fault)));

    function faultItem(listing, fault) {
        const item = lanes.html('li', {class: `run-fault run-${fault.severity}`, 'data-kind': fault.kind},
                                lanes.html('strong', {}, `${fault.severity}: `), fault.message);
        const places = [[fault.file, fault.line], [fault.other_file, fault.other_line]];
        const lines = new Set(places.filter(([file, line]) => listing.shows(file, line)).map(([, line]) => line));
        for (const line of lines) {
            const link = lanes.html('button', {type: 'button', class: 'run-line'}, `Go to line ${line}`);
            link.addEventListener('click', () => listing.focusLine(line, fault.kind.replaceAll('_', ' ')));
            item.append(' ', link);
        }
        for (const [file, line] of places) {
            const address = listing.addressOf(file, line);
            if (address && !lines.has(line)) item.append(' ', lanes.html('a', {href: address}, `Line ${line}`));
        }
        return item;
    }

    /**
     * The first elements of the result. Wrong ones are marked, and end with an exclamation mark.
     * @param {import('./launch_plan.js').Verdict} verdict what is known of it
     * @returns {HTMLElement}
     */
    lanes.resultView = ({name, values, count, columns, wrong}) => {
        const width = columns || mostInARow;
        const shown = Math.min(width, columns ? mostColumns : mostInARow);
        const rows = Math.min(Math.ceil(count / width), columns ? mostRows : 1);
        const texts = Array.from(values.slice(0, rows * width), (value, at) => elementText(value, wrong.has(at)));
        const longest = Math.max(...texts.filter((_, at) => at % width < shown).map((text) => text.length));
        const pre = lanes.html('pre', {tabindex: 0, role: 'group', 'aria-label': `First elements of ${name}`});
        for (let row = 0; row < rows; ++row) {
            const last = Math.min(row * width + shown, (row + 1) * width, count, values.length);
            for (let at = row * width; at < last; ++at) {
                const text = texts[at].padStart(longest);
                pre.append(wrong.has(at) ? lanes.html('mark', {}, text) : text, ' ');
            }
            pre.append(last < Math.min((row + 1) * width, count) ? '...\n' : '\n');
        }
        if (rows * width < count) pre.append('...');
        return lanes.html('figure', {class: 'run-result'},
                          lanes.html('figcaption', {}, `${name}, ${lanes.counted(count, 'element')}`), pre);
    };

    function elementText(value, isWrong) {
        const isReal = typeof value === 'number' && !Number.isInteger(value);
        return `${isReal ? Number(value.toPrecision(6)) : value}${isWrong ? '!' : ''}`;
    }
})();
