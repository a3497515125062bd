'use strict';

// One request of a warp to global memory: which sectors and lines it touches, for any offset, stride, element size,
// order of the lanes and set of active lanes.
(() => {
    const {html, svg, svgText, counted, inPercent} = lanes;

    const LANES = 32;
    const SECTOR_BYTES = 32;
    const SECTORS_PER_LINE = 4;
    const ALL = 0xffffffff;
    const IN_ORDER = Array.from({length: LANES}, (_, lane) => lane);

    // The order of the lanes: which of the 32 elements each lane reads. As text a word, or 32 digits from 0 to v.
    const WORDS = {forward: IN_ORDER, reverse: [...IN_ORDER].reverse()};

    function parseOrder(text) {
        if (Object.hasOwn(WORDS, text)) return WORDS[text];
        const order = [...text].map((digit) => parseInt(digit, LANES));
        return order.length === LANES && new Set(order).size === LANES && !order.includes(NaN) ? order : undefined;
    }

    function formatOrder(order) {
        const text = order.map((element) => element.toString(LANES)).join('');
        return wordOf(order) ?? text;
    }

    function wordOf(order) {
        return Object.keys(WORDS).find((word) => WORDS[word].every((element, lane) => element === order[lane]));
    }

    function shuffled() {
        const order = [...IN_ORDER];
        for (let last = LANES - 1; last > 0; --last) {
            const other = Math.floor(Math.random() * (last + 1));
            [order[last], order[other]] = [order[other], order[last]];
        }
        return order;
    }

    /** The order in which a lane reads another element, and the lane that read that one reads its. */
    function exchanged(order, lane, element) {
        const changed = [...order];
        changed[order.indexOf(element)] = order[lane];
        changed[lane] = element;
        return changed;
    }

    const isActive = (mask, lane) => ((mask >>> lane) & 1) === 1;

    /**
     * Which sectors are drawn side by side, from left to right: all from the start of memory, if the touched ones are
     * near it; else only the touched ones.
     */
    function sectorsToDraw(addresses, touched) {
        const last = Math.floor(Math.max(...addresses) / SECTOR_BYTES);
        const count = [8, 16, 32].find((room) => last < room);
        if (count) return Array.from({length: count}, (_, sector) => sector);
        return [...new Set(touched.filter((sector) => sector >= 0))].sort((a, b) => a - b);
    }

    /** Where everything is drawn, for a width in pixels. */
    class Layout {
        constructor(width, sectors) {
            this.width = width;
            this.sectors = sectors;
            this.places = new Map(sectors.map((sector, place) => [sector, place]));
            this.twoRows = width < 640;
            this.memoryTop = this.twoRows ? 152 : 128;
            this.memoryHeight = 36;
            this.height = this.memoryTop + this.memoryHeight + 34;
            this.sectorWidth = width / Math.max(sectors.length, 1);
            // Of two rows the lower one is shifted by half a lane, so that the wires of the upper one pass through it.
            this.pitch = this.twoRows ? width / (LANES / 2 + 0.5) : width / LANES;
            this.boxWidth = this.pitch - (this.twoRows ? 4 : 3);
        }

        /** Centre, top and bottom of a lane's box. */
        lane(lane) {
            const lower = this.twoRows && lane >= LANES / 2;
            const column = this.twoRows ? (lane % (LANES / 2)) + (lower ? 0.5 : 0) : lane;
            const top = lower ? 36 : 2;
            return {x: (column + 0.5) * this.pitch, top, bottom: top + 28};
        }

        /** Left edge and width of an element's bytes, if they are drawn. */
        bytes(address, size) {
            const place = this.places.get(Math.floor(address / SECTOR_BYTES));
            if (place === undefined) return undefined;
            const perByte = (this.sectorWidth - 2) / SECTOR_BYTES;
            return {x: place * this.sectorWidth + 1 + (address % SECTOR_BYTES) * perByte, width: size * perByte};
        }

        /** Neighbouring places that show sectors of one line: the line's number, first place and count. */
        lines() {
            const lines = [];
            this.sectors.forEach((sector, place) => {
                const line = Math.floor(sector / SECTORS_PER_LINE);
                if (lines.at(-1)?.line === line)
                    ++lines.at(-1).count;
                else
                    lines.push({line, place, count: 1});
            });
            return lines;
        }
    }

    function drawMemory(layout, touched) {
        const {memoryTop: y, memoryHeight: height, sectorWidth} = layout;
        return layout.sectors.map((sector, place) => svg('rect', {
                                      'class': touched.has(sector) ? 'sector-moved' : 'sector-idle',
                                      x: place * sectorWidth + 1,
                                      y,
                                      width: sectorWidth - 2,
                                      height,
                                  }));
    }

    function drawLine(layout, {line, place, count}) {
        const left = place * layout.sectorWidth + 2, right = (place + count) * layout.sectorWidth - 2;
        const y = layout.memoryTop + layout.memoryHeight + 6;
        const first = line * SECTORS_PER_LINE * SECTOR_BYTES;
        const texts = [
            `line ${line}, bytes ${first} to ${first + SECTORS_PER_LINE * SECTOR_BYTES - 1}`, `line ${line}`, `${line}`
        ];
        const text = texts.find((words) => words.length * 6.6 < right - left);
        const bracket = svg('path', {'class': 'line-bracket', d: `M${left} ${y}v5H${right}v-5`});
        if (!text) return bracket;
        const label = svgText((left + right) / 2, y + 21, 'middle', text);
        return svg('g', {}, bracket, label);
    }

    /** A lane with its wire and its bytes, which the reader can take hold of. */
    function drawLane(layout, lane, element, address, size, active, current) {
        const {x, top, bottom} = layout.lane(lane);
        const state = active ? `reads element ${element}` : 'is off';
        const group = svg('g', {
            'class': active ? 'lane' : 'lane lane-off',
            role: 'button',
            tabindex: current ? 0 : -1,
            'aria-pressed': active,
            'aria-label': `Lane ${lane} ${state}`,
            'data-key': `lane-${lane}`,
            'data-lane': lane,
        });
        const bytes = active ? layout.bytes(address, size) : undefined;
        if (bytes) {
            const {memoryTop, memoryHeight} = layout;
            const target = bytes.x + bytes.width / 2;
            const past = layout.twoRows && lane < LANES / 2 ? `V70` : '';
            const width = Math.max(bytes.width - 1, 1.5);
            group.append(
                svg('path', {'class': 'wire', d: `M${x} ${bottom}${past}L${target} ${memoryTop}`}),
                svg('rect', {'class': 'bytes', x: bytes.x + 0.5, y: memoryTop + 3, width, height: memoryHeight - 6}));
            if (bytes.width >= 17) group.append(number(target, memoryTop + memoryHeight / 2 + 4.5, lane));
        }
        group.append(
            svg('rect', {'class': 'lane-grip', x: x - layout.pitch / 2, y: top - 2, width: layout.pitch, height: 32}),
            svg('rect',
                {'class': 'lane-box', x: x - layout.boxWidth / 2, y: top, width: layout.boxWidth, height: 28, rx: 3}),
            number(x, top + 18.5, lane));
        return group;
    }

    function number(x, y, lane) { return svgText(x, y, 'middle', String(lane)); }

    class Sectors extends lanes.Figure {
        static title = 'One request to global memory';
        static hint = 'Drag a lane to the bytes that it should read; click it to switch it off. With the keyboard: ' +
            '← and → choose a lane, ↑ and ↓ move what it reads, the space bar switches it off.';
        static controls = [
            {name: 'offset', label: 'Offset', unit: ['element', 'elements'], type: 'range', min: 0, max: 32, value: 0},
            {name: 'stride', label: 'Stride', unit: ['element', 'elements'], type: 'range', min: 0, max: 32, value: 1},
            {
                name: 'bytes',
                label: 'Size of an element',
                type: 'select',
                options:
                    [
                        [1, '1 byte'], [2, '2 bytes'], [4, '4 bytes: float'], [8, '8 bytes: double'],
                        [16, '16 bytes: float4']
                    ],
                value: 4,
            },
        ];
        static fields = [
            {name: 'order', value: IN_ORDER, parse: parseOrder, format: formatOrder},
            {
                name: 'active',
                value: ALL,
                parse: (text) => (/^[0-9a-f]{1,8}$/.test(text) ? parseInt(text, 16) : undefined),
                format: (mask) => mask.toString(16),
            },
        ];
        static actions = [
            {name: 'forward', label: 'In order', hint: 'In order: lane 0 first'},
            {name: 'reverse', label: 'Reversed', hint: 'Reversed: lane 31 first'},
            {name: 'shuffle', label: 'Shuffled', hint: 'Shuffled: a random order'},
            {name: 'all', label: 'All on', hint: 'All on: every lane takes part'},
        ];

        #current = 0;  // the lane that the keyboard operates
        #drag;         // {lane, order: before it, x: where it began, moved: whether it did}
        #layout;

        act(name) {
            if (name === 'all')
                this.change({active: ALL});
            else
                this.change({order: WORDS[name] ?? shuffled()});
        }

        async compute(model, {offset, stride, bytes, order, active}) {
            const addresses = order.map((element) => (offset + element * stride) * bytes);
            const [requests, sectors, lines, ideal, ...rest] = model.call('sectors', [bytes, active, ...addresses]);
            const moved = sectors * SECTOR_BYTES;
            return {
                requests,
                sectors,
                lines,
                ideal,
                moved,
                used: rest[LANES],
                sectorOf: rest.slice(0, LANES),
                addresses
            };
        }

        facts({requests, sectors, lines, moved, used}) {
            const efficiency = moved ? inPercent(used / moved) : '–';
            return [
                ['Requests', String(requests)],
                ['Sectors', String(sectors)],
                ['Lines', String(lines)],
                ['Bytes moved', String(moved)],
                ['Bytes used', String(used)],
                ['Efficiency', efficiency],
            ];
        }

        draw({sectorOf, addresses}, {order, active, bytes}, width) {
            const layout = (this.#layout = new Layout(width, sectorsToDraw(addresses, sectorOf)));
            const all = IN_ORDER.map(
                (lane) => drawLane(
                    layout, lane, order[lane], addresses[lane], bytes, isActive(active, lane), lane === this.#current));
            const picture =
                lanes.svgPicture(
                    width, layout.height, {role: 'group', 'aria-label': 'Lanes and sectors'},
                    svg('g', {'aria-hidden': true}, ...drawMemory(layout, new Set(sectorOf)),
                        ...layout.lines().map((line) => drawLine(layout, line))),
                    svg('g', {role: 'toolbar', 'aria-label': 'Lanes', 'aria-describedby': `${this.id}-hint`}, ...all));
            const legend = lanes.legend([
                ['bytes', 'bytes that a lane reads'],
                ['sector-moved', 'moved with them'],
                ['sector-idle', 'stays in memory'],
            ]);
            return html('div', {role: 'group', 'aria-labelledby': `${this.id}-text`}, picture, legend);
        }

        describe({requests, sectors, lines, moved, used}, {order, active, offset, stride, bytes}) {
            if (!requests) return 'All lanes are off: there is no request, and nothing moves.';
            const count = IN_ORDER.filter((lane) => isActive(active, lane)).length;
            const way = {forward: 'in order', reverse: 'in reversed order'}[wordOf(order)] ??
                'in an order of their own';
            return `${counted(count, 'lane')}, ${way}, at offset ${offset} and stride ${stride}, ${
                       counted(bytes, 'byte')} each: ` +
                `one request moves ${counted(sectors, 'sector')} of ${counted(lines, 'line')}. Of the ${
                       moved} bytes in them, ${used} are used.`;
        }

        listen(stage) {
            stage.addEventListener('pointerdown', (event) => this.#take(stage, event));
            stage.addEventListener('pointermove', (event) => this.#drag && this.#move(stage, event));
            stage.addEventListener('pointerup', () => this.#drop());
            stage.addEventListener('pointercancel', () => (this.#drag = undefined));
            stage.addEventListener('keydown', (event) => this.#key(stage, event));
            stage.addEventListener('click', (event) => {
                const lane = laneOf(event.target);
                if (lane !== undefined && event.detail === 0) this.#toggle(lane);  // not by a pointer: #drop() did that
            });
        }

        #take(stage, event) {
            const lane = laneOf(event.target);
            if (lane === undefined || event.button !== 0) return;
            stage.setPointerCapture(event.pointerId);
            this.#choose(stage, lane);
            this.#drag = {lane, order: this.state.order, x: event.clientX, moved: false};
        }

        #move(stage, event) {
            const drag = this.#drag;
            drag.moved ||= Math.abs(event.clientX - drag.x) > 5;
            const {offset, stride, bytes} = this.state;
            if (!drag.moved || stride === 0) return;
            const x = event.clientX - stage.getBoundingClientRect().left;
            const distance = (element) => {
                const place = this.#layout.bytes((offset + element * stride) * bytes, bytes);
                return place ? Math.abs(place.x + place.width / 2 - x) : Infinity;
            };
            const nearest = IN_ORDER.reduce((best, element) => (distance(element) < distance(best) ? element : best));
            const order = exchanged(drag.order, drag.lane, nearest);
            if (formatOrder(order) !== formatOrder(this.state.order)) this.change({order});
        }

        #drop() {
            if (this.#drag && !this.#drag.moved) this.#toggle(this.#drag.lane);
            this.#drag = undefined;
        }

        #key(stage, event) {
            const lane = laneOf(event.target);
            if (lane === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
            const actions = {
                ArrowLeft: () => this.#choose(stage, Math.max(lane - 1, 0)),
                ArrowRight: () => this.#choose(stage, Math.min(lane + 1, LANES - 1)),
                Home: () => this.#choose(stage, 0),
                End: () => this.#choose(stage, LANES - 1),
                ArrowUp: () => this.#shift(lane, 1),
                ArrowDown: () => this.#shift(lane, -1),
                ' ': () => this.#toggle(lane),
                Enter: () => this.#toggle(lane),
            };
            if (!Object.hasOwn(actions, event.key)) return;
            event.preventDefault();
            actions[event.key]();
        }

        #choose(stage, lane) {
            const group = (number) => stage.querySelector(`[data-lane="${number}"]`);
            group(this.#current).setAttribute('tabindex', -1);
            this.#current = lane;
            group(lane).setAttribute('tabindex', 0);
            group(lane).focus({preventScroll: true});
        }

        #shift(lane, distance) {
            const {order} = this.state;
            const element = order[lane] + distance;
            if (element >= 0 && element < LANES) this.change({order: exchanged(order, lane, element)});
        }

        #toggle(lane) { this.change({active: (this.state.active ^ (1 << lane)) >>> 0}); }
    }

    function laneOf(target) {
        const group = target.closest('[data-lane]');
        return group ? Number(group.dataset.lane) : undefined;
    }

    lanes.defineFigure('sectors', Sectors);
})();
