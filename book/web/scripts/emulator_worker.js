/**
 * The emulator in a page: PTX in, results, counts and faults out. It runs in a worker, so that the page goes on and a
 * kernel can be stopped. The worker is made from text of this file: a browser starts none from a file:// address.
 *
 *     const emulator = await lanes.startEmulator();          // loads lanes-emulator.js on the first call
 *     const {kernels} = await emulator.load(ptx);            // text of one PTX module
 *     const outcome = await emulator.launch({
 *         kernel: 'copy_float',                              // name in PTX or in the source; not needed if only one
 *         grid: 2, block: [64, 2],                           // a number, or up to three
 *         arguments: [{type: 'f32', array: [1, 2, 3, 4]},    // pointer to an array: numbers, or a typed array
 *                     {type: 'f32', length: 4},              // pointer to an array that nobody has written yet
 *                     {type: 'f32', length: 4, fill: 0},     // pointer to an array full of one value
 *                     {type: 's32', value: 4},               // a number; a BigInt too for 64 bits
 *                     {bytes: new Uint8Array(12)}],          // a structure, as it lies in memory
 *         sharedBytes: 0,                                    // dynamic shared memory
 *         cooperative: false,                                // true: all blocks at once, as grid.sync() needs
 *         device: 'sm_89',                                   // one of devices()
 *         schedule: 'lockstep',                              // or a whole number: the seed of a random order of warps
 *         checks: 'all',                                     // as `lanes run --checks`: 'none', 'races,bounds', ...
 *         budget: 20e6,                                      // thread instructions a warp may issue
 *     });
 *     outcome.counters.global_ld_sectors                     // names of `lanes run --json`, here all of them
 *     outcome.lines    // [{file, line, counters}]: counters that are 0 are left out
 *     outcome.faults   // [{kind, severity, message, kernel, block, thread, file, line, other_file, other_line,
 *                      //   occurrences}]
 *     outcome.buffers  // [{argument, type, values}]: each array after the launch; values is a typed array
 *     outcome.printf   // text; of long ones the beginning
 *     emulator.stop();                                       // ends what runs; the next call starts a fresh worker
 *
 * A kernel with a fault is an outcome, as a launch on hardware is. A promise is rejected with a lanes.EmulatorError,
 * whose `reason` is
 *     'refused'  the input was wrong: PTX with an error (then `line` is its line), no such kernel, a wrong argument,
 *                a launch that the runtime refuses
 *     'stopped'  stop() was called
 *     'crashed'  the emulator broke off, out of memory most likely; the next call starts a fresh one with the same PTX
 * Calls take turns: each waits for those before it.
 */
'use strict';

(() => {
    const lanes = (globalThis.lanes ??= {});

    /** Why the emulator did not do what it was asked. */
    lanes.EmulatorError = class EmulatorError extends Error {
        /**
         * @param {'refused'|'stopped'|'crashed'} reason
         * @param {string} message a sentence
         */
        constructor(reason, message) {
            super(message);
            this.name = 'EmulatorError';
            this.reason = reason;
            const line = /^PTX line (\d+):/.exec(message);
            /** @type {?number} of the PTX text, if that is what is wrong */
            this.line = line ? Number(line[1]) : null;
        }
    };

    /**
     * All that the worker does. It is given the text of this function, so it uses nothing from outside.
     * @param {typeof lanes.startModule} startModule
     */
    function workInBackground(startModule) {
        const arrayTypes = {
            u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array,
            s8: Int8Array, s16: Int16Array, s32: Int32Array, s64: BigInt64Array,
            b8: Uint8Array, b16: Uint16Array, b32: Uint32Array, b64: BigUint64Array,
            f16: Uint16Array, bf16: Uint16Array, f32: Float32Array, f64: Float64Array,
        };

        /** What the caller got wrong, in words. */
        class Refusal extends Error {}

        /** Bytes of all arrays: what the module has for device memory (session.cpp). */
        const capacity = 2 ** 26;

        let running = null;

        /** Numbers as the elements of a typed array, or a typed array as it is. */
        function elements(values, type, text) {
            const Elements = arrayTypes[type];
            if (!Elements) {
                throw new Refusal(`${text}: "${type}" is no type; there are ${Object.keys(arrayTypes).join(', ')}.`);
            }
            if (values instanceof Elements) return values;
            try {
                const convert = Elements.BYTES_PER_ELEMENT === 8 && Elements !== Float64Array ? BigInt : Number;
                return Elements.from(values, convert);
            } catch (error) {
                throw new Refusal(`${text}: ${error.message}`);
            }
        }

        /** An argument as the module wants it; `values` is a typed array or null. */
        function readArgument(argument, position) {
            const text = `argument ${position}`;
            if (typeof argument !== 'object' || argument === null) throw new Refusal(`${text} is not an object.`);
            if (argument.bytes) {
                return {text, type: 'b8', array: false, count: argument.bytes.length, values: argument.bytes};
            }
            const type = argument.type;
            if (argument.array) {
                const values = elements(argument.array, type, text);
                return {text, type, array: true, count: values.length, values};
            }
            if (argument.length !== undefined) {
                const count = argument.length;
                if (!Number.isSafeInteger(count) || count < 1) {
                    throw new Refusal(`${text}: an array must have at least one element, not ${count}.`);
                }
                const one = elements([argument.fill ?? 0], type, text);
                const bytes = count * one.byteLength;
                if (bytes > capacity) {
                    throw new Refusal(`${text}: ${bytes} bytes were asked for; there are ${capacity}.`);
                }
                const values = argument.fill === undefined ? null : new one.constructor(count).fill(one[0]);
                return {text, type, array: true, count, values};
            }
            if (argument.value === undefined) {
                throw new Refusal(`${text} has neither a value nor an array nor a length.`);
            }
            return {text, type, array: false, count: 1, values: elements([argument.value], type, text)};
        }

        /** One to three extents as three. */
        function extents(value, what) {
            const given = [value ?? 1].flat();
            const all = [...given, 1, 1].slice(0, 3);
            const isExtent = (extent) => Number.isInteger(extent) && extent >= 0 && extent < 2 ** 32;
            if (given.length > 3 || !all.every(isExtent)) {
                throw new Refusal(`${what} must be one to three whole numbers, not ${given.join(', ')}.`);
            }
            return all;
        }

        /** A whole number within what the module reads. */
        function whole(value, what, most) {
            if (Number.isInteger(value) && value >= 0 && value <= most) return value;
            throw new Refusal(`${what} must be a whole number from 0 to ${most}, not ${value}.`);
        }

        /** A launch as launch.cpp reads it, and the arrays behind it. */
        function readLaunch(launch) {
            const given = launch.arguments ?? [];
            const parts = [];
            let size = 0;
            const all = given.map((argument, position) => {
                const {values, ...rest} = readArgument(argument, position);
                if (!values) return rest;
                parts.push({at: size, values});
                const entry = {...rest, values: [size, values.byteLength]};
                size += values.byteLength;
                return entry;
            });
            const request = {
                kernel: String(launch.kernel ?? ''),
                grid: extents(launch.grid, 'grid'),
                block: extents(launch.block, 'block'),
                shared_bytes: whole(launch.sharedBytes ?? 0, 'sharedBytes', 2 ** 32 - 1),
                cooperative: launch.cooperative === true,
                device: String(launch.device ?? 'sm_89'),
                schedule: String(launch.schedule ?? 'lockstep'),
                checks: String(launch.checks ?? 'all'),
                budget: String(whole(launch.budget ?? 20e6, 'budget', Number.MAX_SAFE_INTEGER)),
                arguments: all,
            };
            return {request: new TextEncoder().encode(JSON.stringify(request)), parts, size};
        }

        /** Takes the answer out of the module; throws what it refuses. */
        function readAnswer(bytes) {
            const {memory, lanes_answer: place} = running.exports;
            const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, place(), bytes)));
            if (answer.error !== undefined) throw new Refusal(answer.error);
            return answer;
        }

        const calls = {
            start: async (module) => {
                running = await startModule(module);
            },
            devices: () => readAnswer(running.exports.devices()),
            load: (ptx) => {
                const {memory, lanes_room: room, load} = running.exports;
                const text = new TextEncoder().encode(ptx);
                const place = room(text.length);
                new Uint8Array(memory.buffer, place, text.length).set(text);
                return readAnswer(load(text.length));
            },
            launch: (asked) => {
                const {memory, lanes_room: room, launch} = running.exports;
                const {request, parts, size} = readLaunch(asked);
                const place = room(request.length + size);
                new Uint8Array(memory.buffer, place, request.length).set(request);
                for (const {at, values} of parts) {
                    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
                    new Uint8Array(memory.buffer, place + request.length + at, bytes.length).set(bytes);
                }
                const began = performance.now();
                const answer = readAnswer(launch(request.length, size));
                const milliseconds = performance.now() - began;
                const buffers = answer.arrays.map(({argument, type, address, bytes}) => {
                    const values = new arrayTypes[type](memory.buffer.slice(address, address + bytes));
                    return {argument, type, values};
                });
                return {device: answer.device, ...answer.launch, faults: answer.faults, printf: answer.printf, buffers,
                        milliseconds};
            },
        };

        globalThis.onmessage = async ({data: {call, input}}) => {
            try {
                const output = await calls[call](input);
                globalThis.postMessage({output}, output?.buffers?.map(({values}) => values.buffer) ?? []);
            } catch (error) {
                const reason = error instanceof Refusal ? 'refused' : 'crashed';
                const words = running?.lastWords() ?? '';
                globalThis.postMessage({reason, message: error.message, words});
            }
        };
    }

    /** An emulator in a worker of its own. A page shares one. */
    class Emulator {
        #module;
        #worker = null;
        #settle = null;  // of the call that runs: {resolve, reject}
        #ptx = null;
        #turn = Promise.resolve();
        #stops = 0;

        /** @param {WebAssembly.Module} module */
        constructor(module) {
            this.#module = module;
        }

        /**
         * Takes PTX in place of what was loaded before.
         * @param {string} ptx text of one module
         * @returns {Promise<{kernels: {name: string, readable: string, declaration: string,
         *     parameters: {type: string, bytes: number}[], static_shared_bytes: number, required_threads: number[],
         *     maximum_threads: number[]}[]}>} a pointer's type is u64, a structure's b8; of extents, 0 is any
         * @throws {lanes.EmulatorError}
         */
        load(ptx) {
            return this.#inTurn(async () => {
                this.#ptx = null;
                await this.#wake();
                const loaded = await this.#ask('load', ptx);
                this.#ptx = ptx;
                return loaded;
            });
        }

        /**
         * Launches a kernel; the comment at the top of this file says what goes in and comes out.
         * @param {object} launch
         * @returns {Promise<object>}
         * @throws {lanes.EmulatorError}
         */
        launch(launch) {
            return this.#inTurn(async () => {
                await this.#wake();
                return this.#ask('launch', launch);
            });
        }

        /**
         * The devices that can be emulated.
         * @returns {Promise<{devices: {option: string, name: string, card: string, multiprocessors: number}[],
         *     default: string}>}
         */
        devices() {
            return this.#inTurn(async () => {
                await this.#wake();
                return this.#ask('devices');
            });
        }

        /** Ends what runs, and what waits for its turn; their promises are rejected. */
        stop() {
            ++this.#stops;
            this.#end(new lanes.EmulatorError('stopped', 'The emulator was stopped.'));
        }

        /** Runs `work` when all calls before it are done, unless stop() comes first. */
        #inTurn(work) {
            const stops = this.#stops;
            const result = this.#turn.then(() => {
                if (stops === this.#stops) return work();
                throw new lanes.EmulatorError('stopped', 'The emulator was stopped.');
            });
            this.#turn = result.catch(() => {});
            return result;
        }

        /** Starts a worker if there is none, and gives it the PTX that the last one had. */
        async #wake() {
            if (this.#worker) return;
            const text = `'use strict'; (${workInBackground})(${lanes.startModule});`;
            const address = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
            this.#worker = new Worker(address);
            this.#worker.onmessage = ({data}) => this.#receive(data);
            this.#worker.onerror = (event) => this.#crash(event.message ?? 'it could not start');
            await this.#ask('start', this.#module).finally(() => URL.revokeObjectURL(address));
            if (this.#ptx !== null) await this.#ask('load', this.#ptx);
        }

        async #ask(call, input) {
            if (!this.#worker) throw new lanes.EmulatorError('stopped', 'The emulator was stopped.');
            return new Promise((resolve, reject) => {
                this.#settle = {resolve, reject};
                this.#worker.postMessage({call, input});
            });
        }

        #receive({output, reason, message, words}) {
            if (reason === 'crashed') return this.#crash(message, words);
            const {resolve, reject} = this.#settle;
            this.#settle = null;
            if (reason) return reject(new lanes.EmulatorError(reason, message));
            return resolve(output);
        }

        #crash(message, words = '') {
            const text = `The emulator broke off; there may not be enough memory. ${message}. ${words}`.trim();
            this.#end(new lanes.EmulatorError('crashed', text));
        }

        #end(error) {
            this.#worker?.terminate();
            this.#worker = null;
            this.#settle?.reject(error);
            this.#settle = null;
        }
    }

    /**
     * Loads the emulator and makes one; its worker starts with its first call.
     * @returns {Promise<Emulator>}
     * @throws {Error} if the browser lacks something, or the file cannot be loaded; then the next call tries again
     */
    lanes.startEmulator = async () => new Emulator(await lanes.loadModule('lanes-emulator'));
})();
