'use strict';

// The control below a listing: a button, and behind it a panel that runs the kernel of the listing on the emulator.
// Nothing else is loaded before the button is pressed for the first time.
(() => {
    const lanes = (globalThis.lanes ??= {});

    const styles = ['figure.css', 'run.css'];
    const parts = ['elements.js', 'figure_state.js', 'figure_controls.js', 'expression.js', 'launch_plan.js',
                   'emulator_worker.js', 'number_words.js', 'run_listing.js', 'run_results.js', 'run_panel.js'];

    const folder = new URL('.', document.currentScript.src);

    /** Puts an element that loads a file into the head, and waits for the file. */
    function load(tag, attributes) {
        return new Promise((resolve, reject) => {
            const element = Object.assign(document.createElement(tag), attributes);
            element.onload = resolve;
            element.onerror = () => {
                element.remove();
                reject(new Error(`${element.src ?? element.href} could not be loaded.`));
            };
            document.head.append(element);
        });
    }

    /** Loads all that panels need and that is not there yet. */
    async function loadPanels() {
        await Promise.all(styles.filter((file) => !document.querySelector(`link[href*="_static/${file}"]`))
            .map((file) => load('link', {rel: 'stylesheet', href: new URL(file, folder).href})));
        if (!lanes.loadScript) await load('script', {src: new URL('load_wasm.js', folder).href});
        await Promise.all(parts.map(lanes.loadScript));
    }

    /** What scripts of data brought so far: key to content. */
    const brought = new Map();

    /**
     * Called by a script of data.
     * @param {string} key what the script is asked for by
     * @param {*} content what it brings
     */
    lanes.offer = (key, content) => brought.set(key, content);

    /**
     * Loads a script of data.
     * @param {string} script below the folder of static files
     * @param {string} key under which it offers its content
     * @returns {Promise<*>} the content
     */
    lanes.bring = async (script, key) => {
        await lanes.loadScript(script);
        return brought.get(key);
    };

    /**
     * `<lanes-run data-launch="coalescing/copy_float" data-file="chapters/..." data-lines="33 34 35">`: the launch, and
     * the line in its source of each row of the listing, 0 for none.
     */
    class Run extends HTMLElement {
        #button;
        #message;

        /** Takes over the button that is there. */
        connectedCallback() {
            this.#button = this.querySelector('button');
            this.#button?.addEventListener('click', () => this.#open(), {once: true});
        }

        async #open() {
            this.#button.setAttribute('aria-disabled', 'true');  // `disabled` would take the focus away
            this.#say('The emulator is loading.');
            try {
                await loadPanels();
                const launch = this.dataset.launch;
                const [recipe, measures] = await Promise.all([lanes.bring(`launches/${launch}.js`, launch),
                                                              lanes.bring('launches/measures.js', 'measures')]);
                const panel = new lanes.RunPanel(this, recipe, measures);
                const made = await panel.make();
                const hadFocus = document.activeElement === this.#button;
                this.replaceChildren(made);
                if (hadFocus) panel.focus();
                await panel.run();
            } catch (error) {
                this.#say(`${error.message} Press Run to try again.`);
                this.#button.removeAttribute('aria-disabled');
                this.#button.addEventListener('click', () => this.#open(), {once: true});
            }
        }

        #say(text) {
            if (!this.#message) {
                this.#message = document.createElement('span');
                this.#message.setAttribute('role', 'status');
                this.#message.className = 'run-message';
                this.append(this.#message);
            }
            this.#message.textContent = text;
        }
    }
    customElements.define('lanes-run', Run);
})();
