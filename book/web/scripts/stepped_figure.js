'use strict';

// A live figure that is gone through step by step: by buttons, by a slider, by the arrow keys, or by itself.
(() => {
    const lanes = (globalThis.lanes ??= {});

    const LAST = 'last';

    /**
     * The field of all such figures. `last` stays the last step when a control changes how many there are.
     * @type {import('./figure_state.js').Field}
     */
    const step = {
        name: 'step',
        value: LAST,
        parse: (text) => (text === LAST ? LAST : /^\d{1,6}$/.test(text) ? Number(text) : undefined),
        format: String,
    };

    /**
     * A figure of steps. Subclasses give what lanes.Figure asks for, but drawStep() in place of draw(); what they
     * compute has a member `steps`, the number of the last step. Step 0 is the start, when nothing was done yet.
     */
    class SteppedFigure extends lanes.Figure {
        static fields = [step];
        /** @type {number} milliseconds from one step to the next when it plays */
        static pace = 700;

        #player;
        #timer;

        /**
         * The step that is shown.
         * @param {{steps: number}} result from compute()
         * @param {Record<string, *>} state of the figure
         * @returns {number} 0 to result.steps
         */
        static stepOf(result, state) { return state.step === LAST ? result.steps : Math.min(state.step, result.steps); }

        /**
         * Draws one step; see draw() of lanes.Figure.
         * @param {{steps: number}} result from compute()
         * @param {Record<string, *>} state it was computed from
         * @param {number} width CSS pixels
         * @param {number} now the step
         * @returns {Element} the picture
         */
        drawStep(result, state, width, now) {
            throw new Error(`${this.localName} draws nothing of ${result}, ${state}, ${width}, ${now}`);
        }

        draw(result, state, width) {
            const now = SteppedFigure.stepOf(result, state);
            this.#player.show(now, result.steps);
            return this.drawStep(result, state, width, now);
        }

        reset() {
            this.#stop();
            super.reset();
        }

        // The player lies beside the stage, not in it: a slider that is drawn anew slips from the finger that drags it.
        listen(stage) {
            this.#player = new Player(this.id, {
                go: (to) => {
                    this.#stop();
                    this.#go(to);
                },
                play: this.reducedMotion ? undefined : () => (this.#timer ? this.#stop() : this.#play()),
            });
            stage.before(this.#player.node);
        }

        #go(to) {
            const {steps} = this.#player;
            this.change({step: to >= steps ? LAST : Math.max(to, 0)});
        }

        #play() {
            if (this.#player.now === this.#player.steps) this.#go(0);
            this.#timer = setInterval(() => {
                this.#go(this.#player.now + 1);
                if (this.#player.now + 1 >= this.#player.steps) this.#stop();
            }, this.constructor.pace);
            this.#player.playing = true;
        }

        #stop() {
            clearInterval(this.#timer);
            this.#timer = undefined;
            if (this.#player) this.#player.playing = false;
        }
    }

    /** The buttons and the slider. */
    class Player {
        #slider;
        #position;
        #buttons;

        /** @type {HTMLElement} what stands in the page */
        node;
        /** @type {number} the step that is shown */
        now = 0;
        /** @type {number} the last step */
        steps = 0;

        /**
         * Makes the buttons.
         * @param {string} id of the figure
         * @param {{go: (step: number) => void, play?: () => void}} actions what they do; no `play`: no such button
         */
        constructor(id, {go, play}) {
            const button = (name, label, hint, pressed) => {
                const made = lanes.html('button', {type: 'button', 'aria-label': hint, title: hint, 'data-step': name},
                                        label);
                made.addEventListener('click', pressed);
                return made;
            };
            this.#buttons = {
                first: button('first', 'First', 'First step', () => go(0)),
                back: button('back', 'Back', 'Back one step', () => go(this.now - 1)),
                ...(play && {play: button('play', '', 'Play', play)}),
                next: button('next', 'Next', 'Next step', () => go(this.now + 1)),
            };
            const slider = {type: 'range', min: 0, step: 1, id: `${id}-step`, 'aria-label': 'Step'};
            this.#slider = lanes.html('input', slider);
            this.#slider.addEventListener('input', () => go(this.#slider.valueAsNumber));
            this.#position = lanes.html('span', {class: 'live-value', 'aria-hidden': 'true'});
            this.node = lanes.html('div', {class: 'live-player', role: 'group', 'aria-label': 'Steps'},
                                   ...Object.values(this.#buttons), this.#slider, this.#position);
            this.node.addEventListener('keydown', (event) => {
                const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
                if (by === undefined || event.target === this.#slider) return;
                event.preventDefault();
                go(this.now + by);
            });
            this.playing = false;
        }

        /**
         * Shows a step.
         * @param {number} now which
         * @param {number} steps the last one
         */
        show(now, steps) {
            Object.assign(this, {now, steps});
            this.#slider.max = steps;
            this.#slider.value = now;
            this.#slider.setAttribute('aria-valuetext', `${now} of ${steps}`);
            this.#position.textContent = `step ${now} of ${steps}`;
            // Not `disabled`: a button that goes dark under the finger takes the focus with it.
            for (const name of ['first', 'back']) this.#buttons[name].setAttribute('aria-disabled', now === 0);
            this.#buttons.next.setAttribute('aria-disabled', now === steps);
        }

        /** @param {boolean} on whether it goes by itself */
        set playing(on) {
            const {play} = this.#buttons;
            if (!play) return;
            play.textContent = on ? 'Pause' : 'Play';
            play.setAttribute('aria-label', on ? 'Pause' : 'Play');
            play.title = on ? 'Pause' : 'Play, step by step';
        }
    }

    lanes.SteppedFigure = SteppedFigure;
})();
