/**
 * Loads the WebAssembly modules of the book, when something on the page first asks.
 *
 * A module comes as a script (tools/pack_wasm.py says why). What figures use is `lanes.loadModel()`:
 *
 *     const model = await lanes.loadModel();
 *     const [requests, sectors] = model.call('sectors', [4, 0xffffffff, ...addresses]);
 */
'use strict';

(() => {
    const lanes = (globalThis.lanes ??= {});

    /** Where the scripts of the book lie: beside this one. */
    const folder = new URL('.', document.currentScript.src);

    /** Scripts asked for so far: address to promise. */
    const scripts = new Map();

    /**
     * Runs a script that lies beside this one; once, however often it is asked for.
     * @param {string} file its name
     * @returns {Promise<void>}
     */
    lanes.loadScript = (file) => {
        const address = new URL(file, folder).href;
        if (!scripts.has(address)) {
            scripts.set(address, new Promise((resolve, reject) => {
                const element = document.createElement('script');
                element.src = address;
                element.onload = () => resolve();
                element.onerror = () => {
                    scripts.delete(address);  // a network that comes back may be asked again
                    element.remove();
                    reject(new Error(`${file} could not be loaded.`));
                };
                document.head.append(element);
            }));
        }
        return scripts.get(address);
    };

    /**
     * Refuses browsers that lack what the modules need, in words a reader can use.
     * @throws {Error}
     */
    function demandBrowser() {
        const missing = ['WebAssembly', 'DecompressionStream'].filter((name) => !(name in globalThis));
        if (missing.length === 0) return;
        throw new Error(`This browser has no ${missing.join(' and no ')}. Browsers since 2023 have both: Chrome and ` +
                        'Edge 80, Firefox 113, Safari 16.4.');
    }

    /** Modules asked for so far: name to promise. */
    const modules = new Map();

    /**
     * Loads, unpacks and compiles a module; once, however often it is asked for.
     * @param {string} name 'lanes-model' or 'lanes-emulator'
     * @returns {Promise<WebAssembly.Module>}
     */
    lanes.loadModule = (name) => {
        if (!modules.has(name)) {
            const loading = loadModule(name);
            loading.catch(() => modules.delete(name));
            modules.set(name, loading);
        }
        return modules.get(name);
    };

    /**
     * @param {string} name
     * @returns {Promise<WebAssembly.Module>}
     */
    async function loadModule(name) {
        demandBrowser();
        await lanes.loadScript(`${name}.js`);
        const packed = Uint8Array.from(atob(lanes.wasm[name]), (character) => character.charCodeAt(0));
        delete lanes.wasm[name];
        const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
        return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
    }

    /**
     * Starts a module. It uses nothing from outside this function, since a worker is given its text.
     *
     * The C library asks for parts of WASI, the system interface of WebAssembly, of which there is nothing in a page:
     * it can say its last words before it ends, and no more.
     * @param {WebAssembly.Module} module
     * @returns {Promise<{exports: WebAssembly.Exports, lastWords: () => string}>} lastWords gives what it printed
     */
    lanes.startModule = async (module) => {
        const notThere = 52;  // WASI's errno for what is not supported
        let memory;
        let printed = '';
        const system = {
            fd_write: (file, parts, count, written) => {
                const view = new DataView(memory.buffer);
                let total = 0;
                for (let part = parts; part < parts + 8 * count; part += 8) {
                    const length = view.getUint32(part + 4, true);
                    const text = new Uint8Array(memory.buffer, view.getUint32(part, true), length);
                    printed += new TextDecoder().decode(text);
                    total += length;
                }
                view.setUint32(written, total, true);
                return 0;
            },
            proc_exit: (status) => {
                throw new Error(`The module ended with status ${status}.`);
            },
        };
        const imports = {wasi_snapshot_preview1: {}};
        for (const {module: from, name} of WebAssembly.Module.imports(module)) {
            if (from !== 'wasi_snapshot_preview1') throw new Error(`The module asks for ${from}.${name}.`);
            imports[from][name] = system[name] ?? (() => notThere);
        }
        const {exports} = await WebAssembly.instantiate(module, imports);
        memory = exports.memory;
        exports._initialize();
        return {exports, lastWords: () => printed};
    };

    /** More numbers than any figure's answer has; lanes-web-model has the same. */
    const outputCapacity = 65536;

    /** The model library: what accesses, branches and blocks cost, as the tests of the book check it. */
    class Model {
        #exports;

        /** @param {WebAssembly.Exports} exports */
        constructor(exports) {
            this.#exports = exports;
        }

        /**
         * The functions there are.
         * @returns {string[]}
         */
        names() {
            const own = ['memory', '_initialize', 'lanes_error', 'lanes_numbers'];
            return Object.keys(this.#exports).filter((name) => !own.includes(name)).sort();
        }

        /**
         * Calls a function of the model.
         * @param {string} name the function's; its file in book/web/model says what goes in and comes out
         * @param {ArrayLike<number>} numbers what goes in
         * @returns {Float64Array} what comes out
         * @throws {Error} with the model's words, if it refuses the input
         */
        call(name, numbers) {
            const wasm = this.#exports;
            if (!this.names().includes(name)) throw new Error(`The model has no function ${name}.`);
            const input = wasm.lanes_numbers(numbers.length + outputCapacity);
            const output = input + numbers.length * Float64Array.BYTES_PER_ELEMENT;
            new Float64Array(wasm.memory.buffer, input, numbers.length).set(numbers);
            const written = wasm[name](input, numbers.length, output, outputCapacity);
            if (written < 0) throw new Error(this.#error());
            return new Float64Array(wasm.memory.buffer, output, written).slice();
        }

        #error() {
            const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.lanes_error());
            return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
        }
    }

    let model = null;

    /**
     * The model, loaded when first asked for.
     * @returns {Promise<Model>}
     * @throws {Error} if the browser lacks something, or a file cannot be loaded; then the next call tries again
     */
    lanes.loadModel = () => {
        model ??= lanes.loadModule('lanes-model').then(lanes.startModule).then(({exports}) => new Model(exports));
        model.catch(() => (model = null));
        return model;
    };
})();
