'use strict';

// A branch or a loop of one warp, instruction by instruction, with the lanes that are active in each.
(() => {
    const {svg, svgText: text, inWords, inPercent, counted} = lanes;

    const LANES = 32;
    const ALL = 0xffffffff;
    const MOST_TURNS = 32;
    const TOP = 20;              // of the lanes' numbers
    const SETTING_HEIGHT = 30;   // of the row in which the reader sets lanes
    const TURNS_HEIGHT = 70;     // and of that with the turns of a loop
    const ROWS_HEIGHT = 300;     // of the instructions, if they fit
    const ROW_HEIGHTS = [3, 16]; // of one
    const GAP = 10;
    const ROOM_FOR_EACH_NUMBER = 17;
    const NARROW = 480;

    /** The field for lanes chosen by hand: 32 bits in hexadecimal, lane 0 the last. */
    const mask = {
        name: 'mask',
        value: 0x0000ffff,
        parse: (text) => (/^[0-9a-f]{1,8}$/.test(text) ? parseInt(text, 16) : undefined),
        format: (lanesOn) => lanesOn.toString(16).padStart(8, '0'),
    };

    /** The field for turns set by hand: a digit a lane, 0 to w for 0 to 32. */
    const trips = {
        name: 'trips',
        value: Array(LANES).fill(4),
        parse: (text) => (/^[0-9a-w]{32}$/.test(text) ? [...text].map((digit) => parseInt(digit, 33)) : undefined),
        format: (turns) => turns.map((number) => number.toString(33)).join(''),
    };

    const everyLane = (ofLane) => Array.from({length: LANES}, (_, lane) => ofLane(lane));
    const maskOf = (condition) => everyLane(condition).reduce((bits, on, lane) => bits + (on ? 2 ** lane : 0), 0);
    const isOn = (bits, lane) => ((bits >>> lane) & 1) === 1;

    /** Which lanes take the first arm, and the words of the condition. */
    const CONDITIONS = {
        less: {words: ({k}) => `lane < ${k}`, mask: ({k}) => maskOf((lane) => lane < k)},
        multiple: {words: ({k}) => `lane % ${Math.max(k, 1)} == 0`,
                   mask: ({k}) => maskOf((lane) => lane % Math.max(k, 1) === 0)},
        hand: {words: () => 'chosen(lane)', mask: (state) => state.mask},
    };

    /** How many turns each lane makes. */
    const TURNS = {
        growing: ({turns}) => everyLane((lane) => 1 + Math.floor((lane * turns) / LANES)),
        one: ({turns}) => everyLane((lane) => (lane === LANES - 1 ? turns : 1)),
        same: ({turns}) => everyLane(() => turns),
        hand: (state) => state.trips,
    };

    const takenOf = (state) => CONDITIONS[state.condition].mask(state);
    const turnsOf = (state) => TURNS[state.spread](state);
    const isLoop = (state) => state.code === 'loop';

    function compute(model, state) {
        const numbers = isLoop(state)
            ? model.call('loop', [ALL, state.body, ...turnsOf(state)])
            : model.call('branch', [ALL, takenOf(state), state.then, state.else]);
        const [issues, activeLanes, efficiency] = numbers;
        const instructions = [];
        for (let at = 3; at < numbers.length; at += 4) {
            const [part, number, active, count] = numbers.subarray(at, at + 4);
            instructions.push({part, number, active, count});
        }
        return {issues, activeLanes, efficiency, instructions, steps: instructions.length};
    }

    /** Neighbouring instructions of one arm or turn. */
    function partsOf(instructions) {
        const parts = [];
        instructions.forEach(({part, count}, at) => {
            if (parts.at(-1)?.part === part) parts.at(-1).length += 1;
            else parts.push({part, first: at, length: 1, count});
        });
        return parts;
    }

    /** Where things lie in a picture of this width. */
    function layoutOf(state, width, issues) {
        const left = width < NARROW ? 68 : 96;
        const setting = isLoop(state) ? TURNS_HEIGHT : SETTING_HEIGHT;
        const rows = TOP + setting + GAP;
        const [least, most] = ROW_HEIGHTS;
        const row = Math.min(Math.max(Math.floor(ROWS_HEIGHT / Math.max(issues, 1)), least), most);
        return {left, width, lane: (width - left - 1) / LANES, setting, rows, row, height: rows + issues * row + 4};
    }

    function drawLaneNumbers({left, lane}) {
        const every = lane >= ROOM_FOR_EACH_NUMBER ? 1 : 4;
        return everyLane((number) => number)
            .filter((number) => number % every === 0)
            .map((number) => text(left + (number + 0.5) * lane, TOP - 6, 'middle', String(number)));
    }

    /** The cells of some lanes as one path. */
    function cells(bits, {left, lane}, y, height) {
        const gap = lane > 12 ? 1 : 0.5;
        const side = (lane - 2 * gap).toFixed(2);
        return everyLane((number) => number)
            .filter((number) => isOn(bits, number))
            .map((number) => `M${(left + number * lane + gap).toFixed(2)} ${y}h${side}v${height}h-${side}z`)
            .join('');
    }

    function drawInstructions({instructions}, layout, now) {
        const {rows, row, left, width} = layout;
        const height = row - (row > 5 ? 2 : 1);
        return instructions.flatMap(({active}, at) => {
            const y = rows + at * row + 1;
            const when = at + 1 < now ? 'done' : at + 1 === now ? 'current' : 'to-come';
            const frame = {x: left - 2, y: y - 1.5, width: width - left + 2, height: height + 3,
                           class: 'current-frame'};
            return [
                svg('path', {d: cells(~active, layout, y, height), class: 'idle'}),
                svg('path', {d: cells(active, layout, y, height), class: `active ${when}`, 'data-issue': at + 1}),
                ...(when === 'current' ? [svg('rect', frame)] : []),
            ];
        });
    }

    function drawParts(result, state, {left, rows, row}, now) {
        const name = isLoop(state) ? (part) => `turn ${part + 1}` : (part) => ['if', 'else'][part];
        const parts = partsOf(result.instructions);
        let lowest = -Infinity;  // of the names so far: too many turns leave some out
        return parts.flatMap(({part, first, length}) => {
            const y = rows + (first + length / 2) * row + 4;
            if (y - lowest < 13) return [];
            lowest = y;
            const isNow = now > first && now <= first + length;
            return [text(left - 8, y, 'end', name(part), isNow ? 'part now' : 'part')];
        });
    }

    /** The row of a branch in which lanes are chosen: buttons that are pressed or not. */
    function drawChoices(state, layout, focus) {
        const {left, lane, setting} = layout;
        const taken = takenOf(state);
        return everyLane((number) => {
            const on = isOn(taken, number);
            const about = {role: 'button', tabindex: number === focus ? 0 : -1, 'aria-pressed': String(on),
                           'data-lane': number,
                           'data-key': `lane-${number}`, 'aria-label': `Lane ${number} takes the if`, class: 'choice'};
            return svg('g', about, svg('rect', {x: left + number * lane + 1, y: TOP + 1, width: lane - 2,
                                                height: setting - 4, rx: 2, class: on ? 'chosen' : 'unchosen'}));
        });
    }

    /** How many turns the full height of a bar stands for. */
    const turnsAtTop = (turns) => Math.min(Math.max(8, Math.ceil(Math.max(...turns) / 8) * 8), MOST_TURNS);

    /** The row of a loop in which turns are set: a bar a lane. */
    function drawTurns(state, layout, focus) {
        const {left, lane, setting} = layout;
        const turns = turnsOf(state);
        const scale = (setting - 6) / turnsAtTop(turns);
        return everyLane((number) => {
            const height = turns[number] * scale;
            const x = left + number * lane + 1;
            const about = {role: 'slider', tabindex: number === focus ? 0 : -1, 'aria-valuenow': turns[number],
                           'aria-valuemin': 0, 'aria-valuemax': MOST_TURNS, 'aria-orientation': 'vertical',
                           'data-lane': number, 'data-key': `lane-${number}`, 'aria-label': `Turns of lane ${number}`,
                           class: 'choice'};
            return svg('g', about,
                       svg('rect', {x, y: TOP + 1, width: lane - 2, height: setting - 4, rx: 2, class: 'unchosen'}),
                       svg('rect', {x, y: TOP + setting - 3 - height, width: lane - 2, height, class: 'chosen'}),
                       ...(lane < ROOM_FOR_EACH_NUMBER ? [] : [drawTurnsNumber(x + lane / 2 - 1, TOP + setting, height,
                                                                               turns[number])]));
        });
    }

    /** Above the bar, or in it if there is no room above. */
    function drawTurnsNumber(x, bottom, height, turns) {
        const above = height < TURNS_HEIGHT - 24;
        return text(x, bottom - height + (above ? -8 : 12), 'middle', String(turns), above ? 'turns' : 'turns inside');
    }

    class Divergence extends lanes.SteppedFigure {
        static title = 'A warp at a branch and in a loop';
        static hint = 'Set single lanes in the row below their numbers: click or drag, or move with the arrow keys ' +
            'and press space (at a branch) or up and down (in a loop).';
        static controls = [
            {name: 'code', label: 'Code', type: 'select', value: 'branch',
             options: [['branch', 'if and else'], ['loop', 'a loop']]},
            {name: 'condition', label: 'Lanes that take the if', type: 'select', value: 'less',
             options: [['less', 'lane < k'], ['multiple', 'lane % k == 0'], ['hand', 'chosen by hand']]},
            {name: 'k', label: 'k', type: 'range', min: 0, max: 32, value: 16},
            {name: 'then', label: 'Instructions of the if', type: 'range', min: 1, max: 20, value: 6},
            {name: 'else', label: 'Instructions of the else', type: 'range', min: 0, max: 20, value: 3},
            {name: 'spread', label: 'Turns of the lanes', type: 'select', value: 'growing',
             options: [['growing', 'growing from 1'], ['one', '1, and one lane with all'], ['same', 'all the same'],
                       ['hand', 'set by hand']]},
            {name: 'turns', label: 'Turns of the slowest lane', type: 'range', min: 1, max: MOST_TURNS, value: 8},
            {name: 'body', label: 'Instructions of a turn', type: 'range', min: 1, max: 4, value: 1},
        ];
        static fields = [...lanes.SteppedFigure.fields, mask, trips];
        static pace = 500;

        #focus = 0;  // the lane that the tab key comes to
        #stage;
        #painting;

        async compute(model, state) { return compute(model, state); }

        limits(state) {
            const hide = (names, hidden) => names.map((name) => [name, {hidden}]);
            return Object.fromEntries([
                ...hide(['condition', 'then', 'else'], isLoop(state)), ...hide(['spread', 'body'], !isLoop(state)),
                ...hide(['k'], isLoop(state) || state.condition === 'hand'),
                ...hide(['turns'], !isLoop(state) || state.spread === 'hand'),
            ]);
        }

        facts(result, state) {
            const now = lanes.SteppedFigure.stepOf(result, state);
            const issued = result.instructions.slice(0, now);
            const used = issued.reduce((sum, {count}) => sum + count, 0);
            return [
                ['Instructions issued', `${inWords(now)} of ${inWords(result.issues)}`],
                ['Active lanes in this one', now ? `${issued.at(-1).count} of ${LANES}` : '\u2013'],
                ['Lane efficiency so far', now ? inPercent(used / (LANES * now)) : '\u2013'],
            ];
        }

        drawStep(result, state, width, now) {
            const layout = layoutOf(state, width, result.steps);
            const setting = isLoop(state) ? drawTurns : drawChoices;
            const middle = TOP + layout.setting / 2 + 3;
            const about = {role: 'group',
                           'aria-label': isLoop(state) ? 'Turns of each lane, and what the warp issues'
                                                       : 'Lanes that take the if, and what the warp issues'};
            return lanes.svgPicture(
                width, layout.height, about, text(layout.left - 8, TOP - 6, 'end', 'lane', 'part'), ...drawLaneNumbers(layout),
                text(layout.left - 8, middle, 'end', isLoop(state) ? 'turns' : 'condition', 'part'),
                svg('g', {role: 'group', 'aria-label': 'Lanes'}, ...setting(state, layout, this.#focus)),
                svg('g', {'aria-hidden': 'true'}, ...drawParts(result, state, layout, now),
                    ...drawInstructions(result, layout, now)));
        }

        describe(result, state) {
            const issued = `The warp issues ${counted(result.issues, 'instruction')}. In them ` +
                `${inWords(result.activeLanes)} of ${inWords(LANES * result.issues)} places of lanes are used: ` +
                `${inPercent(result.efficiency)}.`;
            if (isLoop(state)) {
                const turns = turnsOf(state);
                return `The slowest lane makes ${counted(Math.max(...turns), 'turn')}, the fastest ` +
                    `${Math.min(...turns)}. ${issued}`;
            }
            const taken = everyLane((lane) => isOn(takenOf(state), lane)).filter(Boolean).length;
            return `if (${CONDITIONS[state.condition].words(state)}): ${counted(taken, 'lane')} one way, ` +
                `${LANES - taken} the other. ${issued}`;
        }

        listen(stage) {
            super.listen(stage);
            this.#stage = stage;
            stage.addEventListener('keydown', (event) => this.#key(event));
            stage.addEventListener('pointerdown', (event) => this.#paintFrom(event));
            stage.addEventListener('pointermove', (event) => this.#paintOn(event));
            for (const end of ['pointerup', 'pointercancel'])
                stage.addEventListener(end, () => (this.#painting = undefined));
        }

        #key(event) {
            const lane = Number(event.target.dataset?.lane ?? -1);
            if (lane < 0) return;
            const sideways = {ArrowLeft: lane - 1, ArrowRight: lane + 1, Home: 0, End: LANES - 1}[event.key];
            const turns = {ArrowUp: 1, ArrowDown: -1, PageUp: 4, PageDown: -4}[event.key];
            if (sideways !== undefined) this.#moveTo(Math.min(Math.max(sideways, 0), LANES - 1));
            else if (isLoop(this.state) && turns) this.#setTurns(lane, turnsOf(this.state)[lane] + turns);
            else if (!isLoop(this.state) && (event.key === ' ' || event.key === 'Enter'))
                this.#choose(lane, !isOn(takenOf(this.state), lane));
            else return;
            event.preventDefault();
        }

        #moveTo(lane) {
            this.#focus = lane;
            for (const choice of this.#stage.querySelectorAll('.choice'))
                choice.setAttribute('tabindex', choice.dataset.lane === String(lane) ? 0 : -1);
            this.#stage.querySelector(`[data-lane="${lane}"]`).focus({preventScroll: true});
        }

        #choose(lane, on) {
            const taken = takenOf(this.state);
            if (isOn(taken, lane) === on) return;
            this.change({condition: 'hand', mask: taken + (on ? 1 : -1) * 2 ** lane});
        }

        #setTurns(lane, turns) {
            const all = [...turnsOf(this.state)];
            all[lane] = Math.min(Math.max(turns, 0), MOST_TURNS);
            this.change({spread: 'hand', trips: all});
        }

        /** The first lane says what all lanes get that the pointer then passes. */
        #paintFrom(event) {
            const lane = Number(event.target.closest?.('[data-lane]')?.dataset.lane ?? -1);
            if (lane < 0) return;
            this.#stage.setPointerCapture(event.pointerId);
            this.#painting = {on: !isOn(takenOf(this.state), lane)};
            this.#focus = lane;
            this.#paint(lane, event);
        }

        #paintOn(event) {
            if (!this.#painting) return;
            const choices = [...this.#stage.querySelectorAll('.choice')];
            const lane = choices.findIndex((choice) => event.clientX < choice.getBoundingClientRect().right);
            this.#paint(lane < 0 ? LANES - 1 : lane, event);
        }

        #paint(lane, event) {
            if (!isLoop(this.state)) return this.#choose(lane, this.#painting.on);
            const {top, bottom} = this.#stage.querySelector('.choice > .unchosen').getBoundingClientRect();
            const part = (bottom - event.clientY) / (bottom - top);
            this.#setTurns(lane, Math.round(part * turnsAtTop(turnsOf(this.state))));
        }
    }

    lanes.defineFigure('divergence', Divergence);
})();
