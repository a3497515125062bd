'use strict';

// The roofline of the book's card, or of the reader's own, with the reader's own kernel under it.
(() => {
    const {html, svg, svgText: text, inWords, inPercent} = lanes;

    const GIGA = 1e9;
    const MILLI = 1e-3;
    const MARGIN = {top: 26, right: 14, bottom: 42};
    const LEAST_HEIGHT = 300;
    const NARROW = 480;
    const ROOM = 2;                // how far the axes reach beyond the outermost points
    const KEY_STEP = 2 ** 0.25;    // four presses of a key double
    const ABOVE_ROOF = 7;          // a name above its roof, CSS pixels
    const LETTER = 7;              // as wide as one of a name
    const MEASURED = 'measured';
    const NUMBER = {type: 'number', min: 0.001, max: 1e9, step: 0.001};

    /**
     * What the export `roofline` answers, with operations in GFLOP and bytes in GB.
     * @typedef {object} Place
     * @property {number} ridge intensity at which the roofs meet
     * @property {number} intensity operations a byte
     * @property {number} rate GFLOP/s
     * @property {number} bound the most at this intensity, GFLOP/s
     * @property {number} share part of the bound that was reached
     * @property {boolean} memory whether memory is the lower roof here
     */

    /** @returns {Place} where a kernel lies */
    function placeOf(model, roofs, {flop, bytes, time}) {
        const [ridge, intensity, rate, bound, share, arithmetic] = model.call(
            'roofline', [roofs.peak * GIGA, roofs.slope * GIGA, flop * GIGA, bytes * GIGA, time * MILLI]);
        return {ridge, intensity, rate: rate / GIGA, bound: bound / GIGA, share, memory: arithmetic === 0};
    }

    /** Three significant digits, with commas. */
    const threeDigits = (number) =>
        number.toLocaleString('en-US', {maximumSignificantDigits: 3, roundingMode: 'halfEven'});

    const operations = (number) => `${threeDigits(number)} ${number === 1 ? 'operation' : 'operations'}`;

    /** A logarithmic axis: from a value to a place in the picture and back. */
    class Axis {
        /**
         * @param {number[]} values that it must hold
         * @param {number} start place of the lowest, CSS pixels
         * @param {number} end place of the highest
         */
        constructor(values, start, end) {
            this.low = Math.min(...values) / ROOM;
            this.high = Math.max(...values) * ROOM;
            Object.assign(this, {start, end});
        }

        at(value) { return this.start + (this.end - this.start) * this.#part(value); }

        valueAt(place) {
            const part = Math.min(Math.max((place - this.start) / (this.end - this.start), 0), 1);
            return this.low * (this.high / this.low) ** part;
        }

        /** Powers of ten. */
        get ticks() {
            const first = Math.ceil(Math.log10(this.low));
            const count = Math.floor(Math.log10(this.high)) - first + 1;
            return Array.from({length: count}, (_, index) => 10 ** (first + index));
        }

        #part(value) { return Math.log(value / this.low) / Math.log(this.high / this.low); }
    }

    function axesOf(result, width) {
        const height = Math.max(LEAST_HEIGHT, Math.round(width * 0.5));
        const left = width < NARROW ? 56 : 72;
        const {place, points, roofs} = result;
        const across = [place.ridge, place.intensity, ...points.map((point) => point.x)];
        const up = [roofs.peak, place.rate, ...points.map((point) => point.y)];
        return {
            height,
            x: new Axis(across, left, width - MARGIN.right),
            y: new Axis(up, height - MARGIN.bottom, MARGIN.top),
        };
    }

    function drawGrid({x, y, height}) {
        const tickText = (value) => (value < 1 ? String(Number(value.toPrecision(1))) : inWords(value));
        return [
            ...x.ticks.flatMap((tick) => [
                svg('line', {x1: x.at(tick), x2: x.at(tick), y1: y.start, y2: y.end, class: 'grid'}),
                text(x.at(tick), y.start + 17, 'middle', tickText(tick), 'tick'),
            ]),
            ...y.ticks.flatMap((tick) => [
                svg('line', {x1: x.start, x2: x.end, y1: y.at(tick), y2: y.at(tick), class: 'grid'}),
                text(x.start - 7, y.at(tick) + 4.5, 'end', tickText(tick), 'tick'),
            ]),
            text((x.start + x.end) / 2, height - 6, 'middle', 'operations for each byte', 'axis'),
            text(0, 14, 'start', 'GFLOP/s', 'axis'),
        ];
    }

    /** Where the roof bends and ends, and where its two names stand. */
    function roofPlaces({x, y}, {slope, peak}) {
        const from = Math.max(x.low, y.low / slope);
        const [x1, y1, x2, y2] = [x.at(from), y.at(slope * from), x.at(peak / slope), y.at(peak)];
        const names = [`memory, ${threeDigits(slope)} GB/s`, `arithmetic, ${threeDigits(peak)} GFLOP/s`];
        return {x1, y1, x2, y2, x3: x.end, names, middle: [(x1 + x2) / 2, (y1 + y2) / 2],
                angle: Math.atan2(y2 - y1, x2 - x1)};
    }

    function drawRoof({x1, y1, x2, y2, x3, names, middle, angle}) {
        const degrees = (angle * 180) / Math.PI;
        const along = {x: middle[0], y: middle[1] - ABOVE_ROOF, 'text-anchor': 'middle', class: 'roof-name',
                       transform: `rotate(${degrees.toFixed(2)} ${middle[0].toFixed(1)} ${middle[1].toFixed(1)})`};
        return [
            svg('path', {d: `M${x1} ${y1}L${x2} ${y2}H${x3}`, class: 'roof'}),
            svg('text', along, names[0]),
            text(x3, y2 - ABOVE_ROOF, 'end', names[1], 'roof-name'),
        ];
    }

    /** Places close together on the roof and its names, which the numbers of the kernels keep off. */
    function roofInTheWay({x1, y1, x2, y2, x3, names, middle, angle}) {
        const between = ([fromX, fromY], [toX, toY]) => {
            const count = Math.ceil(Math.hypot(toX - fromX, toY - fromY) / 4);
            const part = (index) => index / Math.max(count, 1);
            return Array.from({length: count + 1}, (_, index) =>
                [fromX + (toX - fromX) * part(index), fromY + (toY - fromY) * part(index)]);
        };
        const [memory, arithmetic] = names.map((name) => name.length * LETTER);
        const up = ABOVE_ROOF + LETTER / 2;
        const onName = (part) => [middle[0] + part * memory * Math.cos(angle) + up * Math.sin(angle),
                                  middle[1] + part * memory * Math.sin(angle) - up * Math.cos(angle)];
        return [
            ...between([x1, y1], [x2, y2]),
            ...between([x2, y2], [x3, y2]),
            ...between(onName(-0.5), onName(0.5)),
            ...between([x3 - arithmetic, y2 - up], [x3, y2 - up]),
        ];
    }

    // Where a number may stand beside its point, the usual places first, and how much room is enough there.
    const SIDES = [[14, 0], [-14, 0], [0, -14], [0, 14], [12, 11], [-12, 11], [12, -11], [-12, -11], [24, 0], [-24, 0]];
    const ENOUGH = 12;

    /** The book's kernels, numbered as the caption does; each number where it touches nothing. */
    function drawPoints({x, y}, points, inTheWay) {
        const places = points.map((point) => [x.at(point.x), y.at(point.y)]);
        const taken = [...places, ...inTheWay];
        const roomAt = ([left, top], own) => {
            const others = taken.filter((other) => other !== own);
            return Math.min(ENOUGH, ...others.map((other) => Math.hypot(left - other[0], top - other[1])));
        };
        return places.flatMap((place, index) => {
            const beside = SIDES.map((side) => [place[0] + side[0], place[1] + side[1]]);
            const best = beside.reduce((one, other) => (roomAt(other, place) > roomAt(one, place) ? other : one));
            taken.push(best);
            return [
                svg('circle', {cx: place[0], cy: place[1], r: 5, class: 'kernel'},
                    svg('title', {}, points[index].name)),
                text(best[0], best[1] + 4.5, 'middle', String(index + 1), 'kernel-number'),
            ];
        });
    }

    /** The reader's kernel, and how far below the roof it is. */
    function drawOwn({x, y}, place, words) {
        const [left, top] = [x.at(place.intensity), y.at(place.rate)];
        const roof = y.at(place.bound);
        const about = {class: 'own', role: 'button', tabindex: 0, 'data-key': 'own', 'aria-label': words,
                       transform: `translate(${left.toFixed(2)} ${top.toFixed(2)})`};
        const onLeft = left > x.end - 110;
        return [
            svg('line', {x1: left, x2: left, y1: top, y2: roof, class: 'distance'}),
            svg('g', about, svg('circle', {r: 17, class: 'reach'}), svg('path', {d: 'M0 -9L9 0L0 9L-9 0z'})),
            text(left + (onLeft ? -15 : 15), top + 18, onLeft ? 'end' : 'start', `yours: ${inPercent(place.share)}`,
                 'own-name'),
        ];
    }

    /** A choice of the book's kernels whose numbers the reader's kernel can begin with. */
    function kernelChoice(id, points) {
        const options = points.map((point, index) => html('option', {value: index}, `${index + 1} ${point.name}`));
        const label = html('label', {for: `${id}-kernel`}, 'Begin with a kernel of this chapter ');
        return html('p', {class: 'begin-with'}, label,
                    html('select', {id: `${id}-kernel`, 'data-key': 'kernel'}, html('option', {value: ''}, 'choose'),
                         ...options));
    }

    class Roofline extends lanes.Figure {
        static title = 'Your kernel under the roof';
        static hint = 'Drag the diamond, or move it by the arrow keys: sideways it does more or fewer operations for ' +
            'each byte, up and down it becomes faster or slower.';
        static controls = [
            {name: 'flop', label: 'Operations, GFLOP', ...NUMBER, value: 100},
            {name: 'bytes', label: 'Bytes moved, GB', ...NUMBER, value: 100},
            {name: 'time', label: 'Time, ms', ...NUMBER, value: 100},
            {name: 'card', label: 'Roofs', type: 'select', value: MEASURED,
             options: [[MEASURED, 'this book\u2019s'], ['own', 'your own']]},
            {name: 'peak', label: 'Your card: GFLOP/s', ...NUMBER, value: 10000},
            {name: 'bandwidth', label: 'Your card: GB/s', ...NUMBER, value: 500},
        ];

        #measured = JSON.parse(this.dataset.numbers);
        #axes;
        #dragging = false;
        #stage;

        async compute(model, state) {
            const own = state.card !== MEASURED;
            const roofs = own ? {slope: state.bandwidth, peak: state.peak} : this.#measured;
            return {roofs, points: own ? [] : this.#measured.points, place: placeOf(model, roofs, state)};
        }

        limits(state) {
            const hidden = state.card === MEASURED;
            return {peak: {hidden}, bandwidth: {hidden}};
        }

        facts({place}) {
            return [
                ['Operations a byte', threeDigits(place.intensity)],
                ['GFLOP/s', threeDigits(place.rate)],
                ['The roof here, GFLOP/s', threeDigits(place.bound)],
                ['Of the roof', inPercent(place.share)],
                ['The lower roof here', place.memory ? 'memory' : 'arithmetic'],
            ];
        }

        draw(result, state, width) {
            // While the diamond is dragged, the axes stay where they are.
            if (!this.#dragging) this.#axes = axesOf(result, width);
            const axes = this.#axes;
            const {height} = axes;
            const {intensity, rate} = result.place;
            const roof = roofPlaces(axes, result.roofs);
            const words = `Your kernel: ${operations(intensity)} a byte, ${threeDigits(rate)} GFLOP/s. ` +
                'The arrow keys move it.';
            const picture = lanes.svgPicture(
                width, height, {role: 'group', 'aria-label': 'Roofline'},
                svg('g', {'aria-hidden': 'true'}, ...drawGrid(axes), ...drawRoof(roof),
                    ...drawPoints(axes, result.points, roofInTheWay(roof))),
                ...drawOwn(axes, result.place, words));
            const choice = result.points.length ? [kernelChoice(this.id, result.points)] : [];
            return html('div', {role: 'group', 'aria-label': 'The roofline and your kernel'}, picture, ...choice);
        }

        describe({place, roofs}, state) {
            const card = state.card === MEASURED ? `the ${this.#measured.device}` : 'your card';
            const side = place.memory ? 'left' : 'right';
            const where = `Your kernel does ${operations(place.intensity)} for each byte. On ${card} that is ` +
                `${side} of the ridge, which is at ${threeDigits(place.ridge)}: ` +
                `${place.memory ? 'memory' : 'arithmetic'} allows ${threeDigits(place.bound)} GFLOP/s at most.`;
            if (place.share > 1)
                return `${where} It is above that: its bytes did not all come from this memory, or its numbers are ` +
                    `wrong (the most for it, in ${threeDigits(state.time)} ms, were ` +
                    `${threeDigits((roofs.slope * state.time) / 1000)} GB).`;
            return `${where} It reaches ${inPercent(place.share)} of it.`;
        }

        listen(stage) {
            super.listen(stage);
            this.#stage = stage;
            stage.addEventListener('change', (event) => this.#beginWith(event.target));
            stage.addEventListener('keydown', (event) => this.#key(event));
            stage.addEventListener('pointerdown', (event) => {
                if (!event.target.closest('.own')) return;
                event.preventDefault();
                stage.querySelector('.own').focus({preventScroll: true});
                stage.setPointerCapture(event.pointerId);
                this.#dragging = true;
            });
            stage.addEventListener('pointermove', (event) => this.#drag(event));
            for (const end of ['pointerup', 'pointercancel']) stage.addEventListener(end, () => this.#drop());
        }

        /** Keeps the operations; bytes and time follow. */
        #moveTo(intensity, rate) {
            const {flop} = this.state;
            this.change({bytes: roundedTo(flop / intensity), time: roundedTo((flop / rate) / MILLI)});
        }

        #beginWith(select) {
            const point = this.#measured.points[select.value];
            if (point) this.#moveTo(point.x, point.y);
        }

        #drag(event) {
            if (!this.#dragging) return;
            const {left, top} = this.#stage.querySelector('svg').getBoundingClientRect();
            this.#moveTo(this.#axes.x.valueAt(event.clientX - left), this.#axes.y.valueAt(event.clientY - top));
        }

        #drop() {
            if (!this.#dragging) return;
            this.#dragging = false;
            this.change({});
        }

        #key(event) {
            if (!event.target.closest('.own')) return;
            const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
            if (!moves[event.key]) return;
            const [across, up] = moves[event.key];
            event.preventDefault();
            const {flop, bytes, time} = this.state;
            this.#moveTo((flop / bytes) * KEY_STEP ** across, (flop / (time * MILLI)) * KEY_STEP ** up);
        }
    }

    /** As the controls count: in thousandths, and no more digits than a reader can use. */
    function roundedTo(value) {
        const {min, max} = NUMBER;
        const digits = Number(value.toPrecision(4));
        return Math.min(Math.max(Number(digits.toFixed(3)), min), max);
    }

    lanes.defineFigure('roofline', Roofline);
})();
