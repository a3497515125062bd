'use strict';

// A block's sum, step by step: which threads add, on which words of shared memory, and how many warps that takes.
(() => {
    const {html, svg, svgText: text, inWords, counted} = lanes;

    const LANES = 32;
    const TOP = 22;            // of the numbers above a grid
    const GAP = 26;            // between grids
    const ROW_HEIGHTS = [15, 20];
    const ROOM_FOR_EACH_NUMBER = 17;
    const NARROW = 480;

    /** Trees in shared memory, by the number that the model gives them; shuffles go from register to register. */
    const SCHEMES = ['modulo', 'strided_index', 'sequential'];
    const SHUFFLES = 'shuffles';
    const NOTHING = {additions: 0, warps: 0, loads: 0, loadConflicts: 0, stores: 0, storeConflicts: 0};

    /**
     * One step.
     * @typedef {object} Step
     * @property {number} distance between the two operands
     * @property {Record<string, number>} cost of the whole block: additions, warps; wavefronts and conflicts of loads
     *     and stores
     * @property {number[]} into for each thread the element that it adds to, or -1
     * @property {boolean[]} useful for each thread whether what it adds reaches the sum
     * @property {boolean} handover the warps' sums go to the first warp, and nothing is added
     * @property {number[]} holds after the step: elements summed up in each word of buf, or register of a thread
     */

    function computeReduction(model, state) {
        const shuffles = state.scheme === SHUFFLES;
        const numbers = shuffles ? model.call('shuffle_reduction', [state.threads])
                                 : model.call('reduction', [SCHEMES.indexOf(state.scheme), state.threads]);
        const list = [];
        let holds = Array(state.threads).fill(1);
        for (let at = 1; at < numbers.length; at += 7 + state.threads) {
            const [distance, additions, warps, ...access] = numbers.subarray(at, at + 7);
            const ofThreads = [...numbers.subarray(at + 7, at + 7 + state.threads)];
            const [loads, loadConflicts, stores, storeConflicts] = access;
            const step = {
                distance,
                cost: {additions, warps, loads, loadConflicts, stores, storeConflicts},
                into: shuffles ? ofThreads.map((adds, thread) => (adds ? thread : -1)) : ofThreads,
                useful: ofThreads.map((number) => (shuffles ? number === 2 : number >= 0)),
                handover: distance === 0,
            };
            holds = shuffles ? afterShuffle(step, holds) : afterAdditions(step, holds);
            list.push({...step, holds});
        }
        return {warps: numbers[0], list, steps: list.length, shuffles, start: Array(state.threads).fill(1)};
    }

    function afterAdditions({into, distance}, before) {
        const after = [...before];
        for (const element of into.filter((number) => number >= 0)) after[element] += before[element + distance];
        return after;
    }

    /** A lane whose partner is beyond the last one gets its own value: __shfl_down_sync. */
    function afterShuffle({into, distance, handover}, before) {
        const sums = before.filter((_, thread) => thread % LANES === 0);
        if (handover) return before.map((_, thread) => sums[thread] ?? 0);
        return before.map((value, thread) => {
            if (into[thread] < 0) return value;
            return value + before[partnerOf(thread, distance)];
        });
    }

    const partnerOf = (thread, distance) => ((thread % LANES) + distance < LANES ? thread + distance : thread);

    /** A grid of 32 columns, with its place in the picture. */
    class Grid {
        /**
         * @param {{left: number, lane: number, row: number}} layout of the picture
         * @param {number} top of the numbers above it
         * @param {number} rows how many
         */
        constructor(layout, top, rows) { Object.assign(this, layout, {top, rows}); }

        get bottom() { return this.top + TOP + this.rows * this.row; }

        /** Where an element lies, or a thread. */
        place(number) {
            const x = this.left + (number % LANES) * this.lane;
            const y = this.top + TOP + Math.floor(number / LANES) * this.row;
            return {x, y, middle: [x + this.lane / 2, y + this.row / 2]};
        }

        /** Numbers of the columns, and a word for what they are. */
        head(word) {
            const every = this.lane >= ROOM_FOR_EACH_NUMBER ? 1 : 4;
            const numbers = Array.from({length: LANES / every}, (_, index) => index * every).map((column) => text(
                this.left + (column + 0.5) * this.lane, this.top + TOP - 7, 'middle', String(column), 'number'));
            return [text(this.left - 8, this.top + TOP - 7, 'end', word, 'number'), ...numbers];
        }

        cell(number, className, about = {}) {
            const {x, y} = this.place(number);
            const gap = this.lane > 12 ? 1 : 0.5;
            return svg('rect', {x: x + gap, y: y + 1, width: this.lane - 2 * gap, height: this.row - 2,
                                class: `cell ${className}`, ...about});
        }

        label(row, words, className) {
            return text(this.left - 8, this.top + TOP + (row + 0.5) * this.row + 4.5, 'end', words, className);
        }

        value(number, words, className) {
            const [x, y] = this.place(number).middle;
            return text(x, y + 4.5, 'middle', words, className);
        }
    }

    function layoutOf(width) {
        const left = width < NARROW ? 54 : 70;
        const lane = (width - left - 1) / LANES;
        const [least, most] = ROW_HEIGHTS;
        return {left, lane, row: Math.min(Math.max(lane * 0.85, least), most)};
    }

    /** Every thread of the block: a row is a warp, a column a lane. */
    function drawThreads(grid, step, state, shuffles) {
        const adds = (thread) => step !== undefined && step.into[thread] >= 0;
        const kind = (thread) => (!adds(thread) ? 'idle' : step.useful[thread] ? 'adds' : 'in-vain');
        const near = (thread) => (Math.floor(thread / LANES) === Math.floor(state.thread / LANES) ? 'near' : 'far');
        const rows = Array.from({length: grid.rows}, (_, warp) => warp);
        const warpAdds = (warp) => Array.from({length: LANES}, (_, lane) => adds(warp * LANES + lane)).some(Boolean);
        const cells = Array.from({length: state.threads}, (_, thread) => grid.cell(
            thread, `${kind(thread)} ${shuffles ? 'near' : near(thread)}`, {'data-thread': thread}));
        return [
            ...grid.head('lane'), ...cells,
            ...rows.map((warp) => grid.label(warp, `warp ${warp}`, warpAdds(warp) ? 'warp busy' : 'warp')),
        ];
    }

    /** How many elements a word or register holds the sum of; only where there is room. */
    function drawValues(grid, holds, isShown, isStrong) {
        if (grid.lane < ROOM_FOR_EACH_NUMBER) return [];
        return holds.flatMap((value, number) => (
            isShown(number) ? [grid.value(number, String(value), isStrong(number) ? 'value strong' : 'value')] : []));
    }

    /** What happens to a word of buf in a step. Words of the chosen thread's warp stand out. */
    function rolesIn(step, state) {
        const roles = new Map();
        step?.into.forEach((element, thread) => {
            if (element < 0) return;
            const near = Math.floor(thread / LANES) === Math.floor(state.thread / LANES) ? 'near' : 'far';
            roles.set(element, `into ${near}`);
            roles.set(element + step.distance, `from ${near}`);
        });
        return roles;
    }

    /** Shared memory of a tree: a row is 128 bytes, a column a bank. */
    function drawBuffer(grid, result, state, now) {
        const step = result.list[now - 1];
        const holds = step?.holds ?? result.start;
        const roles = rolesIn(step, state);
        const spent = new Set();
        for (const {into, distance} of result.list.slice(0, now - 1))
            for (const element of into) if (element >= 0) spent.add(element + distance);
        const cells = holds.map((_, word) => grid.cell(word, roles.get(word) ?? (spent.has(word) ? 'spent' : 'word')));
        const rows = Array.from({length: grid.rows}, (_, row) => grid.label(row, `${row * LANES}\u2026`, 'warp'));
        const shown = (word) => !spent.has(word) && !roles.get(word)?.startsWith('from');
        return [...grid.head('bank'), ...cells, ...rows, 
                ...drawValues(grid, holds, shown, (word) => roles.get(word) === 'into near')];
    }

    /** Shared memory of shuffles: one word a warp, used once. */
    function drawSums(grid, result, state, now) {
        const warps = state.threads / LANES;
        const written = now > 5;
        const role = (word) => (now === 6 && word < warps ? 'into near' : written && word < warps ? 'word' : 'spent');
        const cells = Array.from({length: LANES}, (_, word) => grid.cell(word, role(word)));
        const sums = written ? Array(warps).fill(LANES) : [];
        return [...grid.head('bank'), grid.label(0, 'sums', 'warp'), ...cells, 
                ...drawValues(grid, sums, () => true, () => now === 6)];
    }

    /** A line from the operand to the sum, of the chosen thread. */
    function drawAddition(grid, step, state, shuffles) {
        const into = step?.into[state.thread] ?? -1;
        if (into < 0) return [];
        const from = shuffles ? partnerOf(into, step.distance) : into + step.distance;
        if (from === into) return [];
        const [x1, y1] = grid.place(from).middle;
        const [x2, y2] = grid.place(into).middle;
        const up = grid.row / 2 - 2;  // within a row the line runs above it, past the numbers
        const path = y1 === y2 ? `M${x1} ${y1 - up}C${x1} ${y1 - up - 7} ${x2} ${y2 - up - 7} ${x2} ${y2 - up}`
                               : `M${x1} ${y1}L${x2} ${y2}`;
        const start = {cx: x1, cy: y1 === y2 ? y1 - up : y1, r: 2.5, class: 'addition-start'};
        return [svg('path', {d: path, class: 'addition'}), svg('circle', start)];
    }

    function drawReduction(result, state, width, now) {
        const layout = layoutOf(width);
        const step = result.list[now - 1];
        const {shuffles} = result;
        const warps = state.threads / LANES;
        const threads = new Grid(layout, 22, warps);
        const memory = new Grid(layout, threads.bottom + GAP + 16, shuffles ? 1 : warps);
        const height = memory.bottom + 4;
        const holds = step?.holds ?? result.start;
        const words = shuffles
            ? ['Registers: elements in the sum of each thread', 'Shared memory: one sum a warp']
            : ['Threads that add', 'Shared memory: elements in each sum'];
        return lanes.svgPicture(
            width, height, {'aria-hidden': 'true'},
            text(0, 14, 'start', words[0], 'grid-title'), ...drawThreads(threads, step, state, shuffles),
            ...(shuffles ? drawValues(threads, holds, (thread) => now <= 5 || thread < LANES,
                                      (thread) => step?.useful[thread]) : []),
            text(0, memory.top - 8, 'start', words[1], 'grid-title'),
            ...(shuffles ? drawSums(memory, result, state, now) : drawBuffer(memory, result, state, now)),
            ...drawAddition(shuffles ? threads : memory, step, state, shuffles), threads.cell(state.thread, 'chosen'));
    }

    /** 8 + 8 + 4 = 20, with the step at hand in bold. */
    function sumOfWarps(result, now) {
        const parts = result.list.flatMap(({cost}, index) => [
            ...(index ? [' + '] : []),
            html(index + 1 === now ? 'strong' : 'span', {'data-warps': index + 1}, String(cost.warps)),
        ]);
        return html('p', {class: 'warps'}, 'Warps that add, step by step: ', ...parts, ` = ${result.warps}`);
    }

    const LEGEND_OF_TREES = [
        ['cell adds', 'a thread that adds, and its sum'], ['cell from', 'what it adds'],
        ['cell adds far', 'the same in other warps'], ['cell chosen', 'the thread that is set'],
    ];
    const LEGEND_OF_SHUFFLES = [
        ['cell adds', 'adds, and it counts'], ['cell in-vain', 'adds for nothing'], ['cell', 'does not add'],
        ['cell chosen', 'the thread that is set'],
    ];

    /** What the chosen thread does. */
    function threadInWords(step, state, shuffles) {
        const {thread} = state;
        const who = `Thread ${thread} (warp ${Math.floor(thread / LANES)}, lane ${thread % LANES})`;
        const stores = thread % LANES === 0;
        if (step.handover) return `${who} ${stores ? 'stores the sum of its warp' : 'waits at the barrier'}.`;
        const into = step.into[thread];
        if (into < 0) return `${who} has nothing to add.`;
        if (!shuffles) return `${who}: buf[${into}] += buf[${into + step.distance}].`;
        const partner = partnerOf(thread, step.distance);
        const what = partner === thread ? 'its own value once more: there is no such lane'
                                        : `what lane ${partner % LANES} has`;
        return `${who} adds ${what}.`;
    }

    /** What a step asks of shared memory. */
    function accessInWords({loads, loadConflicts, stores, storeConflicts}) {
        if (loads + stores === 0) return 'No access to shared memory';
        const conflicts = loadConflicts + storeConflicts;
        const words = conflicts === 1 ? 'a bank conflict' : 'bank conflicts';
        return `${counted(loads, 'wavefront')} of loads and ${inWords(stores)} of stores, ` +
            `${conflicts ? inWords(conflicts) : 'none'} of them ${words}`;
    }

    class Reduction extends lanes.SteppedFigure {
        static title = 'A block adds up its elements';
        static hint = 'Click a thread, or move the slider, to see what it does.';
        static controls = [
            {name: 'scheme', label: 'Kernel', type: 'select', value: 'modulo',
             options: [['modulo', 'interleaved'], ['strided_index', 'strided_index'], ['sequential', 'sequential'],
                       [SHUFFLES, 'block_sum, by shuffles']]},
            {name: 'threads', label: 'Threads a block', type: 'select', value: 256,
             options: [32, 64, 128, 256].map((threads) => [threads, String(threads)])},
            {name: 'thread', label: 'Thread', type: 'range', min: 0, max: 255, value: 0},
        ];
        static pace = 1000;

        async compute(model, state) { return computeReduction(model, state); }

        limits(state) { return {thread: {max: state.threads - 1}}; }

        facts(result, state) {
            const now = lanes.SteppedFigure.stepOf(result, state);
            const cost = result.list[now - 1]?.cost ?? NOTHING;
            const done = result.list.slice(0, now).reduce((sum, step) => sum + step.cost.warps, 0);
            return [
                ['Warps that add now', `${cost.warps} of ${state.threads / LANES}`],
                ['Warps that added, in all', `${done} of ${result.warps}`],
                ['Wavefronts of loads + stores', `${cost.loads} + ${cost.stores}`],
                ['Of them bank conflicts', `${cost.loadConflicts} + ${cost.storeConflicts}`],
            ];
        }

        listen(stage) {
            super.listen(stage);
            stage.addEventListener('click', (event) => {
                const {thread} = event.target.dataset;
                if (thread !== undefined) this.change({thread: Number(thread)});
            });
        }

        drawStep(result, state, width, now) {
            return html('div', {role: 'group', 'aria-label': 'The block'}, drawReduction(result, state, width, now),
                        lanes.legend(result.shuffles ? LEGEND_OF_SHUFFLES : LEGEND_OF_TREES), sumOfWarps(result, now));
        }

        describe(result, state) {
            const now = lanes.SteppedFigure.stepOf(result, state);
            if (now === 0) return `The block has loaded ${state.threads} elements, one a thread.`;
            const step = result.list[now - 1];
            const where = `Step ${now} of ${result.steps}`;
            const doing = threadInWords(step, state, result.shuffles);
            const memory = accessInWords(step.cost);
            if (step.handover)
                return `${where}: one lane of each warp stores its sum, then the first warp loads them all. ` +
                    `${memory}. ${doing}`;
            const distance = result.shuffles ? `from ${counted(step.distance, 'lane')} up` : `s = ${step.distance}`;
            return `${where}, ${distance}: ${counted(step.cost.additions, 'thread')} add, in ` +
                `${step.cost.warps} of ${counted(state.threads / LANES, 'warp')}. ${memory}. ${doing}`;
        }
    }

    lanes.defineFigure('reduction', Reduction);
})();
