'use strict';

// The panel that runs a kernel: sizes and settings, the launch, its PTX, and what came out.
(() => {
    const lanes = (globalThis.lanes ??= {});

    const warpSize = 32;
    const NO_BREAK = '\u00a0';
    const firstMeasures = {coalescing: 'sectors', bank_conflicts: 'wavefronts', divergence: 'lanes'};
    const heatMeasures = ['requests', 'sectors', 'wavefronts', 'conflicts', 'instructions', 'lanes'];
    let panels = 0;

    /** A panel for one listing. */
    lanes.RunPanel = class RunPanel {
        #recipe;
        #measures;
        #listing;
        #id = `run-${++panels}`;
        #emulator = null;
        #controls = [];
        #settings = {};
        #outcome = null;
        #runs = 0;
        #nodes = {};
        #ptxComes = Promise.resolve();

        /**
         * @param {HTMLElement} run the element of the listing
         * @param {object} recipe its launch, of launches.json
         * @param {Record<string, object>} measures the book's
         */
        constructor(run, recipe, measures) {
            this.#recipe = recipe;
            this.#measures = measures;
            this.#listing = new lanes.RunListing(run);
        }

        /**
         * Starts the emulator and makes the panel.
         * @returns {Promise<HTMLElement>}
         */
        async make() {
            this.#emulator = await lanes.startEmulator();
            const {devices, 'default': device} = await this.#emulator.devices();
            this.#makeControls(devices, device);
            await this.#showPtx();
            const nodes = this.#nodes;
            nodes.run = this.#button('Run', () => this.run());
            nodes.stop = this.#button('Stop', () => this.#stop());
            nodes.status = lanes.html('p', {class: 'run-status', role: 'status'});
            nodes.results = lanes.html('div', {class: 'run-results'});
            setOff(nodes.stop, true);
            const [sizes, settings] = [true, false].map((first) =>
                this.#controls.filter(({isSize}) => isSize === first).map(({node}) => node));
            return lanes.html(
                'div', {class: 'live run-panel', role: 'group', 'aria-label': `Run ${this.#recipe.kernels[0].name}`},
                lanes.html('div', {class: 'live-controls'}, ...sizes),
                fold('Device, checks, order and budget', lanes.html('div', {class: 'live-controls'}, ...settings)),
                fold('Edit PTX', this.#ptxEditor()),
                lanes.html('div', {class: 'live-actions'}, nodes.run, nodes.stop), nodes.status, nodes.results);
        }

        /**
         * Launches the kernel as the controls say, and shows what came out.
         * @returns {Promise<void>}
         */
        async run() {
            const run = ++this.#runs;
            this.#busy(true);
            this.#say('The kernel is running.');
            try {
                const kernel = this.#recipe.kernels[this.#settings.kernel];
                const plan = lanes.planLaunch(this.#recipe, kernel, this.#settings);
                const request = this.#request(plan);
                await this.#ptxComes;  // of another kernel that was just chosen
                const ptx = this.#nodes.ptx.value;
                demandOneKernel(await this.#emulator.load(ptx));
                const outcome = await this.#emulator.launch(request);
                if (run !== this.#runs) return;
                this.#show(plan, outcome);
                this.#tell({ptx, request, outcome, kernel});
            } catch (error) {
                if (run !== this.#runs) return;
                this.#fail(error.message);
                if (error.line) this.#selectPtxLine(error.line);
            }
            this.#busy(false);
        }

        /** Puts the focus on the button that runs the kernel. */
        focus() {
            this.#nodes.run.focus({preventScroll: true});
        }

        #stop() {
            ++this.#runs;
            this.#emulator.stop();
            this.#busy(false);
            this.#fail('Stopped. Nothing that the kernel had done so far is kept.');
            this.focus();
        }

        /** For scripts that want more than the panel shows. */
        #tell(detail) {
            this.#nodes.run.dispatchEvent(new CustomEvent('lanes-ran', {bubbles: true, detail}));
        }

        #selectPtxLine(line) {
            const {ptx} = this.#nodes;
            const lines = ptx.value.split('\n');
            const start = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
            ptx.closest('details').open = true;
            ptx.focus();
            ptx.setSelectionRange(start, start + (lines[line - 1] ?? '').length);
            ptx.scrollTop = ptx.scrollHeight * (line - 5) / lines.length;
        }

        #button(text, pressed) {
            const button = lanes.html('button', {type: 'button'}, text);
            button.addEventListener('click', () => {
                if (!isOff(button)) pressed();
            });
            return button;
        }

        #busy(isBusy) {
            setOff(this.#nodes.run, isBusy);
            setOff(this.#nodes.again, isBusy);
            setOff(this.#nodes.stop, !isBusy);
            this.#nodes.results.setAttribute('aria-busy', String(isBusy));
        }

        #say(text, kind = '') {
            this.#nodes.status.textContent = text;
            this.#nodes.status.className = `run-status ${kind}`;
        }

        #fail(text) {
            this.#outcome = null;
            this.#nodes.results.replaceChildren();
            this.#listing.clear();
            this.#say(text, 'run-wrong');
        }

        #makeControls(devices, device) {
            const {kernels, sizes} = this.#recipe;
            const kernelNames = kernels.map(({name, label}, at) => [at, label ? `${name}: ${label}` : name]);
            if (kernels.length > 1)
                this.#add(true, {name: 'kernel', label: 'Kernel', type: 'select', options: kernelNames, value: 0},
                          () => this.#showPtx());
            this.#settings.kernel = 0;
            for (const {name, label, minimum: min, maximum: max, step, value} of sizes) {
                const limits = `(${lanes.inWords(min)} to ${lanes.inWords(max)})`.replaceAll(' ', NO_BREAK);
                this.#add(true, {name, label: `${label} ${limits}`, type: 'number', min, max, step, value});
            }
            this.#add(false, {name: 'device', label: 'Device', type: 'select', value: device,
                              options: devices.map(({option, card}) => [option, `${option}, as in ${card}`])});
            this.#add(false, {name: 'checks', label: 'Look for races and unset memory', type: 'checkbox', value: true});
            this.#add(false, {name: 'order', label: 'Order of the warps', type: 'select', value: 'lockstep',
                              options: [['lockstep', 'one after the other'], ['random', 'random, by the seed']]});
            this.#add(false, {name: 'seed', label: 'Seed of the order', type: 'number', min: 0, max: 999999, value: 1});
            this.#add(false, {name: 'budget', label: 'Budget: instructions of a warp', type: 'number', min: 1,
                              max: 1000000000, value: 1000000});
            const measures = heatMeasures.map((name) => [name, this.#measures[name].title]);
            this.#add(true, {name: 'measure', label: 'Lines show', type: 'select', options: measures,
                             value: this.#firstMeasure()}, () => this.#showLines());
        }

        #firstMeasure() {
            const [, program] = this.#recipe.kernels[0].script.split('/');
            return firstMeasures[program] ?? 'instructions';
        }

        #add(isSize, control, changed = () => {}) {
            this.#settings[control.name] = control.value;
            const made = lanes.makeControl(control, `${this.#id}-${control.name}`, (value) => {
                this.#settings[control.name] = value;
                changed();
            });
            made.show(control.value);
            this.#controls.push({isSize, node: made.node});
        }

        #ptxEditor() {
            const reset = this.#button('Undo all changes', () => this.#showPtx());
            this.#nodes.again = this.#button('Run this PTX', () => this.run());
            const label = lanes.html('label', {'for': `${this.#id}-ptx`}, 'PTX of the kernel, as nvcc made it');
            return lanes.html('div', {class: 'run-editor'}, label, this.#nodes.ptx,
                              lanes.html('div', {class: 'live-actions'}, this.#nodes.again, reset));
        }

        /** Fills the editor with the PTX of the kernel that is chosen. */
        #showPtx() {
            this.#nodes.ptx ??= lanes.html('textarea', {id: `${this.#id}-ptx`, rows: 20, spellcheck: 'false',
                                                        autocapitalize: 'off', autocomplete: 'off', wrap: 'off'});
            const {script} = this.#recipe.kernels[this.#settings.kernel];
            this.#ptxComes = lanes.bring(script, script).then((ptx) => {
                if (this.#recipe.kernels[this.#settings.kernel].script === script) this.#nodes.ptx.value = ptx;
            });
            this.#ptxComes.catch(() => {});  // run() says so
            return this.#ptxComes;
        }

        #request({grid, block, shared, cooperative, 'arguments': planned}) {
            const {device, checks, order, seed, budget} = this.#settings;
            return {
                grid,
                block,
                sharedBytes: shared,
                cooperative,
                'arguments': planned.map(({type, array, count, values}) => {
                    if (array === undefined) return {type, value: values[0]};
                    return values === undefined ? {type, length: count} : {type, array: values};
                }),
                device,
                checks: checks ? 'all' : 'none',
                schedule: order === 'random' ? String(seed) : order,
                budget: budget * warpSize,
            };
        }

        #show(plan, outcome) {
            this.#outcome = outcome;
            const verdict = lanes.judgeResult(this.#recipe, plan, outcome.buffers);
            const faults = outcome.faults.length;
            const found = faults === 0 ? '' : `${faults} ${faults === 1 ? 'fault was' : 'faults were'} found. `;
            this.#say(`${found}${verdict.text}`, faults === 0 && verdict.right ? 'run-right' : 'run-wrong');
            this.#nodes.lines = lanes.html('div');
            const printed = outcome.printf === '' ? []
                : [lanes.html('figure', {class: 'run-printed'}, lanes.html('figcaption', {}, 'printf'),
                              lanes.html('pre', {}, outcome.printf))];
            const {name} = this.#recipe.kernels[this.#settings.kernel];
            const [grid, block] = [plan.grid, plan.block].map((counts) => counts.join(`${NO_BREAK}×${NO_BREAK}`));
            const shape = `${name}: ${grid} blocks of ${block} threads.`;
            this.#nodes.results.replaceChildren(
                lanes.faultList(this.#listing, outcome.faults), ...printed, lanes.resultView(verdict),
                lanes.html('p', {class: 'run-shape'}, shape),
                lanes.counterTable(this.#measures, outcome.counters),
                fold('What each line cost, as a table', this.#nodes.lines));
            this.#listing.clearMark();
            this.#showLines();
        }

        #showLines() {
            if (this.#outcome === null) return;
            const measure = this.#measures[this.#settings.measure];
            const value = (counters) => lanes.measure(measure, counters);
            const {lines} = this.#outcome;
            this.#listing.heat(`Your run:\n${measure.title.toLowerCase()}`, value, lines);
            this.#nodes.lines.replaceChildren(lanes.lineTable(this.#listing, measure.title, value, lines));
        }
    };

    function demandOneKernel({kernels}) {
        if (kernels.length < 2) return;
        const names = kernels.map(({readable}) => readable).join(', ');
        throw new Error(`This PTX has ${kernels.length} kernels: ${names}. A panel runs one; take the others out.`);
    }

    // Not `disabled`: that would take the focus away, and the arrow keys would then turn the page.
    function setOff(button, off) {
        button.setAttribute('aria-disabled', String(off));
    }

    function isOff(button) {
        return button.getAttribute('aria-disabled') === 'true';
    }

    function fold(title, content) {
        return lanes.html('details', {class: 'run-fold'}, lanes.html('summary', {}, title), content);
    }
})();
