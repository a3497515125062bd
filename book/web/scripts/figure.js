'use strict';

// The base class of the book's live figures: a picture that is computed, by the model that the tests check, from what
// the reader sets.
//
// The element stands in the page around a static picture, which stays where scripts are off, where loading fails and in
// print. The model is loaded when the figure comes near the window; the live figure then takes the picture's place, in
// room that the style sheet has kept for it.
(() => {
    const lanes = (globalThis.lanes ??= {});

    const DISTANCE_TO_LOAD = '800px';
    const PAUSE_BEFORE_SPEAKING = 500;  // ms: nobody wants to hear each value that a slider passes
    const PAUSE_BEFORE_WRITING = 300;   // ms: Safari refuses more than 100 changes of the address in 30 s
    const PAUSE_OF_MESSAGES = 4000;     // ms

    /**
     * A button of a figure's own.
     * @typedef {object} Action
     * @property {string} name key for act()
     * @property {string} label words on it
     * @property {string} [hint] a longer name, for screen readers and as a tooltip; begins with the label
     */

    /**
     * A figure that computes. Subclasses give title, controls, compute(), draw() and describe(), and are registered
     * by lanes.defineFigure().
     */
    class Figure extends HTMLElement {
        /** @type {string} what it is called: heading of the figure and name for screen readers */
        static title = '';
        /** @type {string} how to operate what has no control; empty: all has one */
        static hint = '';
        /** @type {import('./figure_controls.js').Control[]} what the reader operates */
        static controls = [];
        /** @type {import('./figure_state.js').Field[]} state that has no control, such as what is dragged by hand */
        static fields = [];
        /** @type {Action[]} buttons of its own */
        static actions = [];

        #model;
        #fields;
        #first;  // the state without any in the address: what reset() goes back to
        #state;
        #result;
        #controls = new Map();
        #buttons = new Map();
        #live;
        #facts;
        #stage;
        #text;
        #message;
        #turn = 0;
        #width = 0;
        #timers = {};

        /**
         * Computes what is drawn.
         * @param {{call: (name: string, numbers: number[]) => Float64Array}} model the compiled model library
         * @param {Record<string, *>} state of the controls and fields
         * @returns {Promise<*>} what draw() and describe() need
         */
        async compute(model, state) {
            throw new Error(`${this.localName} computes nothing from ${model} and ${state}`);
        }

        /**
         * Draws a result. Without a `role` of its own the node is an image, named by describe(). What can be focused
         * inside has a `data-key`, by which focus is given back when all is drawn anew.
         * @param {*} result from compute()
         * @param {Record<string, *>} state it was computed from
         * @param {number} width CSS pixels: draw as wide as this, so that text has the size it is given
         * @returns {Element} the picture
         */
        draw(result, state, width) {
            throw new Error(`${this.localName} draws nothing of ${result}, ${state}, ${width}`);
        }

        /**
         * Says in one or two sentences what the picture shows: the text alternative, and spoken after a change.
         * @param {*} result from compute()
         * @param {Record<string, *>} state it was computed from
         * @returns {string} whole sentences
         */
        describe(result, state) { throw new Error(`${this.localName} says nothing of ${result}, ${state}`); }

        /**
         * The few numbers that matter, which stand large above the picture.
         * @param {*} result from compute()
         * @param {Record<string, *>} state it was computed from
         * @returns {Array<[string, string]>} label and value; always the same labels
         */
        facts(result, state) { return result && state && []; }

        /**
         * What a state allows of controls; a value beyond it becomes the nearest that is allowed.
         * @param {Record<string, *>} state to look at
         * @returns {Record<string, import('./figure_controls.js').Limits>} by a control's name
         */
        limits(state) { return state && {}; }

        /**
         * One of the figure's own buttons was pressed.
         * @param {string} name of the action
         */
        act(name) { throw new Error(`${this.localName} cannot ${name}`); }

        /**
         * The figure is about to be shown: where a subclass listens for events in its drawing.
         * @param {HTMLElement} stage holds the drawing, and stays when it is drawn anew
         */
        listen(stage) { return stage; }

        /** @returns {Record<string, *>} a copy of the state */
        get state() { return {...this.#state}; }

        /** @returns {boolean} whether the reader asked for little motion */
        get reducedMotion() { return matchMedia('(prefers-reduced-motion: reduce)').matches; }

        /**
         * A button of the figure's own.
         * @param {string} name of the action
         * @returns {HTMLButtonElement} the button
         */
        button(name) { return this.#buttons.get(name); }

        /**
         * Changes the state, and with it picture, text and address.
         * @param {Record<string, *>} changes new values
         */
        change(changes) {
            this.#state = this.#allowed({...this.#state, ...changes});
            this.#later('write', PAUSE_BEFORE_WRITING, () => this.#writeAddress());
            this.#update().catch((error) => this.#fail(error));
        }

        /** Goes back to the state in which the page shows the figure. */
        reset() { this.change(this.#first); }

        /**
         * Shows a state that the text of the page names.
         * @param {string} text what differs from the first state, `stride:8,offset:0`
         */
        show(text) { this.change({...this.#first, ...this.#parsed(text)}); }

        /** Called by the browser when the element stands in the page. */
        connectedCallback() {
            if (this.#fields) return;  // it was moved
            const {controls, fields} = this.constructor;
            this.#fields = [...controls.map(lanes.fieldOf), ...fields];
            const defaults = Object.fromEntries(this.#fields.map((field) => [field.name, field.value]));
            this.#first = this.#allowed({...defaults, ...this.#parsed(this.dataset.state ?? '')});
            const asked = new URLSearchParams(location.search).get(this.id) ?? '';
            this.#state = this.#allowed({...this.#first, ...lanes.parseState(asked, this.#fields).state});
            this.#startWhenNear();
        }

        /** A state that the book itself names: what is wrong there is an error. */
        #parsed(text) {
            const {state, unknown} = lanes.parseState(text, this.#fields);
            if (unknown.length) console.error(`${this.localName} #${this.id}: no such state: ${unknown.join(', ')}`);
            return state;
        }

        #allowed(state) {
            for (const [name, {min = -Infinity, max = Infinity}] of Object.entries(this.limits(state)))
                if (typeof state[name] === 'number') state[name] = Math.min(Math.max(state[name], min), max);
            return state;
        }

        #startWhenNear() {
            const observer = new IntersectionObserver((entries) => {
                if (!entries.some((entry) => entry.isIntersecting)) return;
                observer.disconnect();
                this.#start();
            }, {rootMargin: DISTANCE_TO_LOAD});
            observer.observe(this);
        }

        async #start() {
            try {
                this.#model = await lanes.loadModel();
                this.#build();
                await this.#update();
            } catch (error) {
                this.#fail(error);
            }
        }

        #fail(error) {
            delete this.dataset.live;
            this.#live?.remove();
            console.error(error);
            const words = `This is the figure's picture only. The live figure failed: ${error.message}`;
            this.prepend(lanes.html('p', {class: 'live-failed', role: 'status'}, words));
        }

        #build() {
            const {title, hint, controls, actions} = this.constructor;
            const made = controls.map((control) => this.#makeControl(control));
            const own = actions.map((action) => this.#makeButton(action, () => this.act(action.name)));
            const link = this.#makeButton({name: 'link', label: 'Copy link'}, () => this.#copyLink());
            const reset = this.#makeButton({name: 'reset', label: 'Reset'}, () => this.reset());
            this.#message = lanes.html('span', {class: 'live-message', role: 'status'});
            this.#facts = lanes.html('ul', {class: 'live-facts'});
            this.#stage = lanes.html('div', {class: 'live-stage'});
            this.#text = lanes.html('p', {class: 'live-text', id: `${this.id}-text`, 'aria-live': 'polite'});
            const name = lanes.html('p', {class: 'live-title', id: `${this.id}-title`}, title);
            const tools = lanes.html('div', {class: 'live-tools'}, this.#message, link, reset);
            this.#live = lanes.html(
                'div', {class: 'live', role: 'group', 'aria-labelledby': name.id},
                lanes.html('div', {class: 'live-head'}, name, tools),
                lanes.html('div', {class: 'live-controls'}, ...made),
                lanes.html('div', {class: 'live-actions'}, ...own), this.#facts, this.#stage, this.#text);
            if (hint) this.#live.append(lanes.html('p', {class: 'live-hint', id: `${this.id}-hint`}, hint));
            this.listen(this.#stage);
            // The arrow keys turn the pages of the book: not those that are meant for the figure.
            this.#live.addEventListener('keydown', (event) => {
                if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') event.stopPropagation();
            });
            new ResizeObserver(() => this.#redrawIfResized()).observe(this);
        }

        #makeControl(control) {
            const set = (value) => this.change({[control.name]: value});
            const made = lanes.makeControl(control, `${this.id}-${control.name}`, set);
            this.#controls.set(control.name, made);
            return made.node;
        }

        #makeButton({name, label, hint}, pressed) {
            const button = lanes.html('button', {type: 'button', title: hint, 'aria-label': hint}, label);
            button.dataset.action = name;
            button.addEventListener('click', pressed);
            this.#buttons.set(name, button);
            return button;
        }

        async #update() {
            if (!this.#model) return;  // not near yet
            const turn = ++this.#turn;
            const state = this.state;
            const limits = this.limits(state);
            for (const [name, control] of this.#controls) control.show(state[name], limits[name]);
            const result = await this.compute(this.#model, state);
            if (turn !== this.#turn) return;  // the reader has gone on
            this.#result = {result, state};
            this.#facts.replaceChildren(...this.facts(result, state).map(factNode));
            this.#redraw();
            const text = this.describe(result, state);
            if (this.dataset.live === undefined)
                this.#show(text);
            else
                this.#later('speak', PAUSE_BEFORE_SPEAKING, () => this.#say(text));
        }

        /** Takes the static picture's place, all at once. */
        #show(text) {
            this.#say(text);
            this.prepend(this.#live);
            this.dataset.live = '';
        }

        #say(text) {
            if (this.#text.textContent !== text) this.#text.textContent = text;
        }

        #redrawIfResized() {
            if (this.#result && Math.round(this.clientWidth) !== this.#width) this.#redraw();
        }

        #redraw() {
            const {result, state} = this.#result;
            const focused =
                this.#stage.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
            this.#width = Math.round(this.clientWidth);
            if (this.#width === 0) return;  // in print, or folded away: drawn when there is room again
            const picture = this.draw(result, state, this.#width);
            if (!picture.hasAttribute('role')) {
                picture.setAttribute('role', 'img');
                picture.setAttribute('aria-labelledby', this.#text.id);
            }
            this.#stage.replaceChildren(picture);
            if (focused) this.#stage.querySelector(`[data-key="${focused}"]`)?.focus({preventScroll: true});
        }

        #writeAddress() { history.replaceState(history.state, '', this.#address()); }

        /** The address of the page with the figure's state, without a fragment. */
        #address() {
            const text = lanes.formatState(this.#state, this.#first, this.#fields);
            return `${location.pathname}${lanes.queryWith(location.search, this.id, text)}${location.hash}`;
        }

        async #copyLink() {
            const link = new URL(this.#address(), location.href);
            link.hash = this.id;
            try {
                await navigator.clipboard.writeText(link.href);
                this.#note('Link copied');
            } catch {
                // Browsers give no clipboard to pages without https. The reader can copy the link by hand.
                history.replaceState(history.state, '', link);
                this.#note('The link stands in the address bar');
            }
        }

        #note(words) {
            this.#message.textContent = words;
            this.#later('note', PAUSE_OF_MESSAGES, () => (this.#message.textContent = ''));
        }

        #later(name, pause, action) {
            clearTimeout(this.#timers[name]);
            this.#timers[name] = setTimeout(action, pause);
        }
    }

    function factNode([label, value]) { return lanes.html('li', {}, lanes.html('strong', {}, value), ` ${label}`); }

    lanes.Figure = Figure;

    /**
     * Registers a figure: the elements `lanes-NAME` of the page come to life.
     * @param {string} name as in the directive `live-figure`
     * @param {typeof Figure} figure its class
     */
    lanes.defineFigure = (name, figure) => customElements.define(`lanes-${name}`, figure);
})();
