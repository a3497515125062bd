'use strict';

// How many blocks of a kernel a multiprocessor holds: a bar for each of the four things that it hands out.
(() => {
    const {html, svg, inWords, inPercent, counted} = lanes;

    const KIB = 1024;
    const BAR_HEIGHT = 26;
    const BEYOND = 0.13;        // of the width: room for the block that has none
    const NARROWEST_NUMBER = 22;
    const NARROWEST_FRAME = 3;  // below that, frames would hide the blocks

    /** Each that the model knows, with a card of that kind; a test compares the list with the model. */
    const CAPABILITIES = [
        ['7.5', '7.5: Tesla T4'], ['8.0', '8.0: A100'], ['8.6', '8.6: RTX 3090'], ['8.7', '8.7: Jetson Orin'],
        ['8.9', '8.9: RTX 4090'], ['9.0', '9.0: H200'], ['10.0', '10.0: B200'], ['10.3', '10.3: B300'],
        ['11.0', '11.0: Jetson Thor'], ['12.0', '12.0: RTX 5090'], ['12.1', '12.1: DGX Spark'],
    ];

    const LARGEST = -1;
    const CARVE_OUTS = [[LARGEST, 'the largest'], ...[0, 25, 50, 75, 100].map((percent) => [percent, `${percent} %`])];

    /**
     * What the export `occupancy` answers.
     * @typedef {object} Occupancy
     * @property {number} blocks resident
     * @property {number} warps resident
     * @property {Record<string, {allows: number, binds: boolean}>} limits by name
     * @property {Record<string, number>} block what a block takes
     * @property {Record<string, number>} has what the multiprocessor has
     */

    /** @returns {Occupancy} the answer to a state */
    function occupancyOf(model, state) {
        const [major, minor] = state.capability.split('.').map(Number);
        const shared = state.shared * KIB;
        const ask = (most) =>
            [...model.call('occupancy', [major, minor, state.threads, state.registers, shared, most, state.carve_out])];
        // Opting in asks for the most that the capability allows, which the model says.
        const most = state.opt_in ? ask(-1).at(-2) : -1;
        const numbers = ask(most);
        const next = () => numbers.shift();
        const limit = () => ({allows: next(), binds: next() === 1});
        const [blocks, warps] = [next(), next()];
        const limits = {warps: limit(), registers: limit(), shared: limit(), blocks: limit()};
        const block = {warps: next(), registers: next(), warpRegisters: next(), quarterWarps: next(), shared: next()};
        const carveOut = next();
        const has = {warps: next(), blocks: next(), registers: next(), quarters: next(), cache: next(),
                     sharedOfBlock: next(), reserved: next(), shared: carveOut};
        return {blocks, warps, limits, block, has};
    }

    /** The four bars, in the order of the text. */
    function barsOf(result, state) {
        const {block, has, blocks, limits} = result;
        return [
            {key: 'blocks', name: 'Places for blocks', takes: 1, has: has.blocks, note: ''},
            {key: 'warps', name: 'Places for warps', takes: block.warps, has: has.warps,
             note: `A block of ${counted(state.threads, 'thread')} has ${counted(block.warps, 'warp')}.`},
            {key: 'registers', name: 'Registers', takes: block.registers, has: has.registers,
             note: noteOnRegisters(result, state)},
            {key: 'shared', name: 'Shared memory', unit: ' bytes', takes: block.shared, has: has.shared,
             note: noteOnShared(result, state)},
        ].map((bar) => ({...bar, ...limits[bar.key], blocks}));
    }

    function noteOnRegisters({block, has}, state) {
        const rounded = block.warpRegisters / 32;
        const rounding = rounded === state.registers ? '' : `${state.registers} are rounded up to ${rounded}. `;
        return `${rounding}A warp takes ${inWords(block.warpRegisters)}; each quarter of the ` +
            `${inWords(has.registers)} has enough for ${counted(block.quarterWarps, 'warp')}.`;
    }

    function noteOnShared({block, has, limits}, state) {
        if (limits.shared.allows === 0 && !state.opt_in && state.shared > 48)
            return 'More than 48 KiB for a block must be opted in to.';
        if (limits.shared.allows === 0)
            return `A block may have ${inWords(has.sharedOfBlock / KIB)} KiB at most.`;
        const kept = has.reserved ? `, with the ${has.reserved / KIB} KiB that CUDA keeps in each` : '';
        return `A block takes ${inWords(block.shared)} bytes${kept}. Shared memory is set to ` +
            `${inWords(has.shared / KIB)} KiB, which leaves ${inWords((has.cache - has.shared) / KIB)} KiB to the ` +
            'L1 cache.';
    }

    /** Blocks in a bar, and, if it binds, where the next one would lie. */
    function drawBar(bar, width) {
        const inner = width * (1 - BEYOND);
        const blockWidth = bar.has ? (inner * bar.takes) / bar.has : 0;
        const rect = (x, w, attributes) => svg('rect', {x, y: 1, width: w, height: BAR_HEIGHT - 2, ...attributes});
        const parts = [];
        if (bar.binds && bar.takes) {
            const x = bar.blocks * blockWidth;
            parts.push(rect(x, Math.min(blockWidth, width - x - 1), {class: 'no-room'}));
        }
        for (let block = 0; block < bar.blocks && bar.takes; ++block) {
            const frame = blockWidth < NARROWEST_FRAME ? 'resident narrow' : 'resident';
            parts.push(rect(block * blockWidth, blockWidth, {class: frame}));
            if (blockWidth < NARROWEST_NUMBER) continue;
            const x = (block + 0.5) * blockWidth;
            parts.push(svg('text', {x, y: BAR_HEIGHT / 2 + 4.5, 'text-anchor': 'middle'}, String(block + 1)));
        }
        parts.push(rect(0, inner, {class: 'whole'}));
        return lanes.svgPicture(width, BAR_HEIGHT, {'aria-hidden': 'true'}, ...parts);
    }

    /** What a limit allows by itself. A block that takes none of it is not limited by it. */
    const allowance = ({allows, takes}) => (takes ? `allows ${counted(allows, 'block')}` : 'no limit');

    function drawLimit(bar, width) {
        const used = bar.takes * bar.blocks;
        const head = html(
            'p', {class: 'limit-head'}, html('span', {class: 'limit-name'}, bar.name),
            html('span', {}, `${inWords(used)} of ${inWords(bar.has)}${bar.unit ?? ''}`),
            html('span', {class: 'limit-allows'}, allowance(bar), ...(bar.binds ? [html('strong', {}, 'binds')] : [])));
        const note = bar.note ? [html('p', {class: 'limit-note'}, bar.note)] : [];
        const about = {class: bar.binds ? 'limit binds' : 'limit', 'data-limit': bar.key, 'data-allows': bar.allows};
        return html('div', about, head, drawBar(bar, width), ...note);
    }

    /** Words for the limits that bind: "places for warps and registers". */
    function bindingWords(result, state) {
        const names = barsOf(result, state).filter((bar) => bar.binds).map((bar) => bar.name.toLowerCase());
        return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    }

    class Occupancy extends lanes.Figure {
        static title = 'Blocks on a multiprocessor';
        static controls = [
            {name: 'capability', label: 'Compute capability', type: 'select', options: CAPABILITIES, value: '8.9'},
            {name: 'threads', label: 'Threads a block', type: 'range', min: 8, max: 1024, step: 8, value: 1024},
            {name: 'registers', label: 'Registers a thread', type: 'range', min: 1, max: 255, value: 38},
            {name: 'shared', label: 'Shared memory a block', unit: 'KiB', type: 'range', min: 0, max: 227, value: 8},
            {name: 'carve_out', label: 'Carve-out asked for', type: 'select', options: CARVE_OUTS, value: LARGEST},
            {name: 'opt_in', label: 'Opted in to more than 48 KiB', type: 'checkbox', value: true},
        ];

        async compute(model, state) { return occupancyOf(model, state); }

        facts(result) {
            return [
                ['Resident blocks', inWords(result.blocks)],
                ['Resident warps', `${inWords(result.warps)} of ${inWords(result.has.warps)}`],
                ['Occupancy', inPercent(result.warps / result.has.warps)],
            ];
        }

        draw(result, state, width) {
            const bars = barsOf(result, state).map((bar) => drawLimit(bar, width));
            return html('div', {role: 'group', 'aria-label': 'The four limits', class: 'limits'}, ...bars);
        }

        describe(result, state) {
            const asks = `Blocks of ${counted(state.threads, 'thread')} with ${counted(state.registers, 'register')} ` +
                `a thread and ${state.shared} KiB of shared memory, on ${state.capability}`;
            const binding = bindingWords(result, state);
            if (result.blocks === 0) return `${asks}: not even one fits. What is missing: ${binding}.`;
            const share = inPercent(result.warps / result.has.warps);
            return `${asks}: ${counted(result.blocks, 'block')} resident, ${result.warps} of ` +
                `${result.has.warps} warps, ${share}. There is no room for another block in: ${binding}.`;
        }
    }

    lanes.defineFigure('occupancy', Occupancy);
})();
