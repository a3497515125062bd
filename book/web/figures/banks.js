'use strict';

// One access of a warp to a tile in shared memory: the tile, the banks that hold it, and the wavefronts one by one.
(() => {
    const {html, svg, svgText, counted} = lanes;

    const SMALL = 8;  // banks and lanes of the small machine
    const WORD = 4;   // bytes
    const SIDE_BY_SIDE = 760;
    const TILE_SIDE = 304;
    const TOP = 24;         // of tile and buckets: their titles are above
    const ROW_HEIGHT = 28;  // of a wavefront, if there are few
    const TO_SHOW_NUMBERS = {width: 14.5, height: 12};
    const CELL_FOR_NUMBERS = 18;

    /** What the export `banks` answers. */
    function accessOf(model, {banks, width, padding, bytes, way, swizzle}) {
        const pitch = width + padding;
        const size = banks === SMALL ? WORD : bytes;
        const down = way === 'column' ? 1 : 0;
        const numbers = [...model.call('banks', [banks, size, width, pitch, down, swizzle ? 1 : 0])];
        const [wavefronts, atBest, conflicts] = numbers.splice(0, 3);
        const perLane = Array.from({length: banks}, (_, lane) => {
            const [row, place, bank, wide, phase, wavefront] = numbers.splice(0, 6);
            return {lane, row, place, bank, wide, phase, wavefront};
        });
        return {wavefronts, atBest, conflicts, lanes: perLane, pitch, size, bankOf: numbers};
    }

    /** The wavefronts in their order: which lanes each serves, and whether a conflict adds it. */
    function wavefrontsOf({wavefronts, lanes: all}) {
        const phases = new Set();
        return Array.from({length: wavefronts}, (_, number) => {
            const served = all.filter((lane) => lane.wavefront === number);
            const {phase} = served[0];
            const first = !phases.has(phase);
            phases.add(phase);
            return {number, phase, lanes: served.map((lane) => lane.lane), conflict: !first, startsPhase: first};
        });
    }

    /** Lanes in few words: "0 to 15, 20". */
    function lanesText(numbers) {
        const ranges = [];
        for (const number of numbers)
            if (ranges.at(-1)?.last === number - 1)
                ranges.at(-1).last = number;
            else
                ranges.push({first: number, last: number});
        const words = ranges.map(({first, last}) => {
            if (first === last) return `${first}`;
            return last === first + 1 ? `${first}, ${last}` : `${first} to ${last}`;
        });
        return `${numbers.length === 1 ? 'lane' : 'lanes'} ${words.join(', ')}`;
    }

    const grid = (x, y, width, height, columns, rows) => {
        const vertical = Array.from({length: columns + 1}, (_, i) => `M${x + (i * width) / columns} ${y}v${height}`);
        const horizontal = Array.from({length: rows + 1}, (_, i) => `M${x} ${y + (i * height) / rows}h${width}`);
        return svg('path', {'class': 'grid', d: [...vertical, ...horizontal].join('')});
    };

    /** The tile as it lies in shared memory, with the elements of the lanes and those of the marked bank. */
    function drawTile(result, {width: rows, padding, bank}, x, y, side) {
        const {pitch, size, bankOf} = result;
        const cell = Math.min(side / pitch, side / rows, 36);
        const at = (row, place) => ({x: x + place * cell, y: y + row * cell});
        const big = cell >= CELL_FOR_NUMBERS;
        const inBank = (first) => bank >= first && bank < first + size / WORD;
        const parts = [
            svg('rect', {'class': 'tile', x, y, width: rows * cell, height: rows * cell}),
            svg('rect', {'class': 'padding', x: x + rows * cell, y, width: padding * cell, height: rows * cell}),
        ];
        for (const lane of result.lanes)
            parts.push(svg('rect', {'class': 'element', ...at(lane.row, lane.place), width: cell, height: cell}));
        parts.push(grid(x, y, pitch * cell, rows * cell, pitch, rows));
        const taken = new Set(result.lanes.map((lane) => lane.row * pitch + lane.place));
        bankOf.forEach((first, element) => {
            const centre = at(Math.floor(element / pitch) + 0.5, (element % pitch) + 0.5);
            if (inBank(first))
                parts.push(svg('circle', {
                    'class': big ? 'mark ring' : 'mark',
                    cx: centre.x,
                    cy: centre.y,
                    r: big ? 8.5 : Math.min(2.4, cell / 3)
                }));
            if (big)
                parts.push(svgText(
                    centre.x, centre.y + 4.3, 'middle', String(first), taken.has(element) ? 'on-element' : undefined));
        });
        const title = big ? 'The tile: each element with its bank' : `The tile; dots are in bank ${bank}`;
        const held = bankOf.filter(inBank).length;
        const wanted = result.lanes.filter((lane) => inBank(lane.bank)).length;
        const note = `Bank ${bank}: ${counted(held, 'element')} of the tile, ${wanted} wanted`;
        return svg(
            'g', {}, svgText(x, y - 8, 'start', title), ...parts, svgText(x, y + rows * cell + 20, 'start', note));
    }

    /** The banks as buckets, filled from below: a row for each wavefront. */
    function drawBuckets(result, {banks, bank}, x, y, width, height) {
        const column = width / banks;
        const row = Math.min(ROW_HEIGHT, height / result.wavefronts);
        const bottom = y + height;
        const top = (wavefront) => bottom - (wavefront + 1) * row;
        const everyRow = Math.ceil(TO_SHOW_NUMBERS.height / row);
        const everyBank = column < TO_SHOW_NUMBERS.width + 1 ? 4 : 1;
        const parts = [];
        for (const {number, conflict, startsPhase} of wavefrontsOf(result)) {
            if (conflict) parts.push(svg('rect', {'class': 'conflict', x, y: top(number), width, height: row}));
            if (number % everyRow === 0)
                parts.push(svgText(x - 5, top(number) + row / 2 + 4.3, 'end', String(number + 1)));
            if (startsPhase && number > 0)
                parts.push(svg('path', {'class': 'phase', d: `M${x - 20} ${top(number - 1)}h${width + 20}`}));
        }
        parts.push(svg('path', {
            'class': 'bucket',
            d: Array.from({length: banks + 1}, (_, i) => `M${x + i * column} ${y}V${bottom}`).join('') +
                `M${x} ${bottom}h${width}`
        }));
        for (const {lane, bank: first, wide, wavefront} of result.lanes) {
            const box = {
                x: x + first * column + 1,
                y: top(wavefront) + 1,
                width: wide * column - 2,
                height: Math.max(row - 2, 2)
            };
            parts.push(svg('rect', {'class': 'element', ...box}));
            if (wide * column >= TO_SHOW_NUMBERS.width && row >= TO_SHOW_NUMBERS.height)
                parts.push(
                    svgText(box.x + box.width / 2, box.y + box.height / 2 + 4.3, 'middle', String(lane), 'on-element'));
        }
        for (let number = 0; number < banks; ++number) {
            const left = x + number * column;
            if (number === bank) parts.push(svg('rect', {'class': 'marked-bucket', x: left, y, width: column, height}));
            if (number % everyBank === 0 || number === bank)
                parts.push(svgText(
                    left + column / 2, bottom + 15, 'middle', String(number),
                    number === bank ? 'marked-number' : undefined));
            parts.push(svg(
                'rect', {'class': 'choose-bank', 'data-bank': number, x: left, y, width: column, height: height + 20}));
        }
        return svg(
            'g', {}, svgText(x, y - 8, 'start', 'The banks, with the lanes that each wavefront serves'), ...parts);
    }

    class Banks extends lanes.Figure {
        static title = 'One access to a tile in shared memory';
        static controls = [
            {
                name: 'banks',
                label: 'Banks, and lanes',
                type: 'select',
                options: [[32, '32: a GPU'], [8, '8: a small machine']],
                value: 32
            },
            {
                name: 'width',
                label: 'Tile',
                type: 'select',
                options: [[32, '32 x 32'], [16, '16 x 16'], [8, '8 x 8']],
                value: 32
            },
            {
                name: 'bytes',
                label: 'Bytes of an element',
                type: 'select',
                options: [[4, '4: float'], [8, '8: double'], [16, '16: float4']],
                value: 4
            },
            {
                name: 'way',
                label: 'The lanes go',
                type: 'select',
                options: [['column', 'down a column'], ['row', 'along a row']],
                value: 'column'
            },
            {
                name: 'padding',
                label: 'Padding',
                unit: ['element', 'elements'],
                type: 'range',
                min: 0,
                max: 16,
                value: 0
            },
            {name: 'bank', label: 'Bank to mark', type: 'range', min: 0, max: 31, value: 0},
            {name: 'swizzle', label: 'Swizzled: x ^ y', type: 'checkbox', value: false},
        ];

        #listIsOpen = false;

        limits({banks}) { return {bank: {max: banks - 1}, bytes: {hidden: banks === SMALL}}; }

        async compute(model, state) { return accessOf(model, state); }

        facts({wavefronts, atBest, conflicts, size}, {width, padding}) {
            return [
                ['Wavefronts', String(wavefronts)],
                ['At best', String(atBest)],
                ['Conflicts', String(conflicts)],
                ['Padding bytes', String(width * padding * size)],
            ];
        }

        draw(result, state, width) {
            const beside = width >= SIDE_BY_SIDE;
            const height = beside ? 384 : 240;
            const bucketsLeft = beside ? TILE_SIDE + 52 : 24;
            const bucketsTop = beside ? TOP : TOP + TILE_SIDE + 64;
            const all = bucketsTop + height + 22;
            const picture = lanes.svgPicture(
                width, all, {role: 'img', 'aria-labelledby': `${this.id}-text`},
                drawTile(result, state, 0, TOP, Math.min(TILE_SIDE, width)),
                drawBuckets(result, state, bucketsLeft, bucketsTop, width - bucketsLeft - 1, height));
            const legend = lanes.legend([
                ['element', 'element of a lane'],
                ['marked-bucket', `bank ${state.bank}`],
                ['padding', 'padding'],
                ['conflict', 'wavefront that a conflict adds'],
            ]);
            return html(
                'div', {role: 'group', 'aria-label': 'Tile, banks and wavefronts'}, picture, legend,
                this.#list(result));
        }

        #list(result) {
            const items = wavefrontsOf(result).map((wavefront) => {
                const conflict = wavefront.conflict ? ' (conflict)' : '';
                return html('li', {}, `${lanesText(wavefront.lanes)}${conflict}`);
            });
            const summary = html('summary', {'data-key': 'list'}, 'The wavefronts one by one');
            const list =
                html('details', {'class': 'wavefronts', open: this.#listIsOpen}, summary, html('ol', {}, ...items));
            list.addEventListener('toggle', () => (this.#listIsOpen = list.open));
            return list;
        }

        describe({wavefronts, atBest, conflicts, pitch, size, lanes: all}, {banks, width, way, swizzle}) {
            const lines = all.length / width;
            const what = lines < 1 ? `${all.length} elements of a ${way}` : counted(lines, way);
            const rows = `${pitch} from row to row${swizzle ? ', swizzled' : ''}`;
            const ideal = conflicts ? `${atBest} at best, so ${counted(conflicts, 'conflict')}` : 'no conflict';
            return `${counted(all.length, 'lane')} read ${what} of ${width === SMALL ? 'an' : 'a'} ${width} x ${
                       width} tile of ${size}-byte elements, ${rows}, ` +
                `from ${banks} banks: ${counted(wavefronts, 'wavefront')}, ${ideal}.`;
        }

        listen(stage) {
            stage.addEventListener('click', (event) => {
                const bucket = event.target.closest('[data-bank]');
                if (bucket) this.change({bank: Number(bucket.dataset.bank)});
            });
        }
    }

    lanes.defineFigure('banks', Banks);
})();
