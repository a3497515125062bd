'use strict';

// The tiled matrix product, step by step: which tiles a block loads, what is zero, and what the naive product would
// load.
(() => {
    const {html, svg, svgText, inWords, counted} = lanes;

    const LARGEST_CELL = 24;
    const GAP = 30;                             // between the matrices, and above them
    const HEIGHTS = {beside: 450, below: 390};  // of the matrices, whatever their sizes, by where the bars are
    const WIDE = 700;                           // from here on the bars stand beside the matrices
    const BARS_WIDTH = 230;
    const BARS_HEIGHT = 120;

    /**
     * What the export `march` answers.
     * @param {{call: (name: string, numbers: number[]) => Float64Array}} model the compiled model
     * @param {Record<string, *>} state of the figure
     * @returns {object} counts so far, of the last step and of all; where the last step is; what was done with each
     *     tile
     */
    function marchOf(model, {m, n, k, tile, step}) {
        const ask = (done) => [...model.call('march', [m, n, k, tile, done])];
        const [steps] = ask(0);
        const now = lanes.SteppedFigure.stepOf({steps}, {step});
        const numbers = ask(now).slice(1);
        const next = () => numbers.shift();
        const cost = () => ({loads: next(), zeros: next(), products: next(), naive: next()});
        const tiles = {m: next(), n: next(), k: next()};
        const [soFar, last, all] = [cost(), cost(), cost()];
        const [row, column, along] = [next(), next(), next()];
        const matrix = (rows, columns) => Array.from({length: rows}, () => Array.from({length: columns}, next));
        const done = {a: matrix(tiles.m, tiles.k), b: matrix(tiles.k, tiles.n), c: matrix(tiles.m, tiles.n)};
        return {steps, now, tiles, soFar, last, all, row, column, along, done};
    }

    const rect = (kind, x, y, width, height, more = {}) => svg('rect', {'class': kind, x, y, width, height, ...more});

    /** Where the matrices lie: B above C, A to the left of C, with room for tiles that go beyond the edges. */
    class Layout {
        constructor(width, {m, n, k, tile}, tiles) {
            this.beside = width >= WIDE;
            const room = this.beside ? width - BARS_WIDTH - GAP : width;
            const height = this.beside ? HEIGHTS.beside : HEIGHTS.below;
            const columns = (tiles.k + tiles.n) * tile, rows = (tiles.k + tiles.m) * tile;
            this.cell = Math.min(LARGEST_CELL, (room - GAP - 2) / columns, (height - 2 * GAP - 2) / rows);
            const inner = tiles.k * tile * this.cell;
            const c = {x: inner + GAP + 1, y: GAP + inner + GAP};
            this.tile = tile;
            this.side = tile * this.cell;
            this.a = {name: `A, ${m} x ${k}`, x: 1, y: c.y, rows: m, columns: k};
            this.b = {name: `B, ${k} x ${n}`, x: c.x, y: GAP, rows: k, columns: n};
            this.c = {name: `C, ${m} x ${n}`, ...c, rows: m, columns: n};
            this.bars = this.beside ? {x: width - BARS_WIDTH, y: GAP, width: BARS_WIDTH} :
                                      {x: 1, y: height + GAP, width: width - 2};
            this.height = this.beside ? height : height + BARS_HEIGHT;
        }

        /** The part of a tile that lies in its matrix. */
        inside(matrix, row, column) {
            const rows = Math.min(this.tile, matrix.rows - row * this.tile);
            const columns = Math.min(this.tile, matrix.columns - column * this.tile);
            return {
                x: matrix.x + column * this.side,
                y: matrix.y + row * this.side,
                width: columns * this.cell,
                height: rows * this.cell,
            };
        }
    }

    /** A matrix with its cells, and thicker lines around its tiles. */
    function drawMatrix(layout, matrix, done, kindOf) {
        const {cell, side} = layout;
        const {x, y, rows, columns} = matrix;
        const lines = (count, distance, line) => Array.from({length: count}, (_, i) => line(i * distance)).join('');
        const width = columns * cell, height = rows * cell;
        const across = (dy) => `M${x} ${y + dy}h${width}`, down = (dx) => `M${x + dx} ${y}v${height}`;
        const tiles =
            done.flatMap((of, row) => of.map((count, column) => drawTile(layout, matrix, row, column, count, kindOf)));
        return [
            svgText(x, y - 8, 'start', matrix.name),
            rect('matrix', x, y, width, height),
            ...tiles.map(([fill]) => fill),
            svg('path', {'class': 'cells', d: lines(rows, cell, across) + lines(columns, cell, down)}),
            svg('path', {
                'class': 'tiles',
                d: lines(done.length, side, across) + lines(done[0].length, side, down) +
                    `M${x} ${y + height}h${width}v${- height}`
            }),
            ...tiles.flatMap(([, ...label]) => label),
        ];
    }

    /** The fill of a tile, and how often it was loaded. */
    function drawTile(layout, matrix, row, column, count, kindOf) {
        const {kind, label, part} = kindOf(row, column, count);
        const {x, y, width, height} = layout.inside(matrix, row, column);
        const fill = rect(kind, x, y + height * (1 - part), width, height * part);
        if (!label || Math.min(width, height) < 14) return [fill];
        return [fill, svgText(x + width / 2, y + height / 2 + 4.3, 'middle', label, `on-${kind}`)];
    }

    /** Threads of the block whose tile lies beyond an edge store zeros. */
    function drawZeros(layout, matrix, row, column) {
        const {cell, tile} = layout;
        const zeros = [];
        for (let y = row * tile; y < (row + 1) * tile; ++y)
            for (let x = column * tile; x < (column + 1) * tile; ++x) {
                if (y < matrix.rows && x < matrix.columns) continue;
                const left = matrix.x + x * cell, top = matrix.y + y * cell;
                zeros.push(rect('zero', left + 0.5, top + 0.5, cell - 1, cell - 1));
                if (cell >= 13) zeros.push(svgText(left + cell / 2, top + cell / 2 + 4.3, 'middle', '0'));
            }
        return zeros;
    }

    /** What one thread of the block multiplies: a row of A's tile, a column of B's, and its element of C. */
    function drawThread(layout, {row, column, along}, thread) {
        const {cell, side, tile, a, b, c} = layout;
        const y = Math.floor(thread / tile) * cell, x = (thread % tile) * cell;
        return [
            rect('thread', a.x + along * side, a.y + row * side + y, side, cell),
            rect('thread', b.x + column * side + x, b.y + along * side, cell, side),
            rect('thread', c.x + column * side + x, c.y + row * side + y, cell, cell),
        ];
    }

    /** Two bars: what was loaded so far, and what the naive product would have loaded. */
    function drawBars({x, y, width}, {soFar, all}) {
        const bar = (top, kind, words, value) =>
            [svgText(x, top, 'start', `${words}: ${inWords(value)}`),
             rect('bar-frame', x, top + 7, width, 20),
             rect(kind, x, top + 7, (width * value) / all.naive, 20),
        ];
        return svg(
            'g', {}, svgText(x, y - 8, 'start', 'Elements read from global memory so far'),
            ...bar(y + 14, 'loaded-now', 'In tiles', soFar.loads),
            ...bar(y + 64, 'naive', 'By the naive product', soFar.naive));
    }

    /** In the corner that no matrix needs: whose step it is. */
    function drawCorner(layout, {now, row, column, along, tiles}) {
        if (now === 0) return [svgText(1, GAP + 4, 'start', 'nothing is loaded')];
        return [
            svgText(1, GAP + 4, 'start', `block (${row}, ${column})`, 'whose'),
            svgText(1, GAP + 22, 'start', `turn ${along + 1} of ${tiles.k}`)
        ];
    }

    class March extends lanes.SteppedFigure {
        static title = 'Tiles on their march';
        static hint = 'Click an element of the block\'s tile of C to follow its thread.';
        static controls = [
            {name: 'm', label: 'M: rows of A, C', type: 'range', min: 1, max: 12, value: 8},
            {name: 'n', label: 'N: columns of B, C', type: 'range', min: 1, max: 12, value: 8},
            {name: 'k', label: 'K: in between', type: 'range', min: 1, max: 12, value: 8},
            {name: 'tile', label: 'T: width of a tile', type: 'range', min: 1, max: 8, value: 4},
            {name: 'thread', label: 'Thread to follow', type: 'range', min: 0, max: 63, value: 0},
        ];
        static pace = 1200;

        #layout;
        #result;

        limits({tile}) { return {thread: {max: tile * tile - 1}}; }

        async compute(model, state) { return marchOf(model, state); }

        facts({soFar, last}) {
            const ratio = soFar.loads ? (soFar.naive / soFar.loads).toFixed(1) : '–';
            return [
                ['Loaded now', inWords(last.loads)],
                ['Zeros now', inWords(last.zeros)],
                ['Loaded so far', inWords(soFar.loads)],
                ['Naive so far', inWords(soFar.naive)],
                ['Naive / tiled', ratio],
            ];
        }

        drawStep(result, state, width, now) {
            const layout = (this.#layout = new Layout(width, state, result.tiles));
            this.#result = result;
            const {a, b, c} = layout;
            const {row, column, along, tiles, done} = result;
            const input = (isNow) => (y, x, count) => {
                const kind = now > 0 && isNow(y, x) ? 'loaded-now' : count ? 'loaded' : 'none';
                return {kind, label: count ? `${count}×` : '', part: count ? 1 : 0};
            };
            const output = (y, x, count) => ({kind: 'summed', label: '', part: count / tiles.k});
            const parts = [
                ...drawMatrix(layout, a, done.a, input((y, x) => y === row && x === along)),
                ...drawMatrix(layout, b, done.b, input((y, x) => y === along && x === column)),
                ...drawMatrix(layout, c, done.c, output),
                ...drawCorner(layout, result),
            ];
            if (now > 0)
                parts.push(
                    ...drawZeros(layout, a, row, along), ...drawZeros(layout, b, along, column),
                    rect('block', c.x + column * layout.side, c.y + row * layout.side, layout.side, layout.side),
                    ...drawThread(layout, result, state.thread));
            const picture =
                lanes.svgPicture(
                    width, layout.height, {role: 'img', 'aria-labelledby': `${this.id}-text`}, ...parts, drawBars(layout.bars, result));
            const legend = lanes.legend([
                ['loaded-now', 'loaded in this step'],
                ['loaded', 'loaded before, so many times'],
                ['zero', 'beyond an edge: a zero'],
                ['summed', 'sums of C so far'],
                ['block', 'the block\'s tile of C'],
                ['thread', 'what the thread reads and adds to'],
            ]);
            return html('div', {role: 'group', 'aria-label': 'Matrices and tiles'}, picture, legend);
        }

        describe({steps, now, soFar, last, row, column, along}, {tile, thread}) {
            if (now === 0)
                return `Nothing is loaded yet. There are ${counted(steps, 'step')} to go, one block after the other.`;
            const zeros = last.zeros ? `, and ${counted(last.zeros, 'zero')} for what lies beyond the edges` : '';
            const y = Math.floor(thread / tile), x = thread % tile;
            return `Step ${now} of ${steps}: block (${row}, ${column}) loads tile (${row}, ${along}) of A and tile (${
                       along}, ${column}) of B, ` +
                `${counted(last.loads, 'element')}${zeros}. The naive product reads ${
                       inWords(last.naive)} for the same products; so far ` +
                `${inWords(soFar.naive)} against ${inWords(soFar.loads)}. Thread (${y}, ${x}) multiplies row ${
                       y} of the one tile with column ${x} of the other.`;
        }

        listen(stage) {
            super.listen(stage);
            stage.addEventListener('click', (event) => {
                const {left, top} = stage.getBoundingClientRect();
                const {c, cell, side, tile} = this.#layout;
                const x = Math.floor((event.clientX - left - c.x - this.#result.column * side) / cell);
                const y = Math.floor((event.clientY - top - c.y - this.#result.row * side) / cell);
                if (x >= 0 && x < tile && y >= 0 && y < tile) this.change({thread: y * tile + x});
            });
        }
    }

    lanes.defineFigure('march', March);
})();
