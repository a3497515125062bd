'use strict';

// From a launch's recipe (chapters/*/launches.json) and the sizes that a reader chose to a launch, and from what the
// kernel left behind to a verdict.
(() => {
    const lanes = (globalThis.lanes ??= {});

    const arraysOf = {u8: Uint8Array, s8: Int8Array, u16: Uint16Array, s16: Int16Array, u32: Uint32Array,
                      s32: Int32Array, u64: BigUint64Array, s64: BigInt64Array, f32: Float32Array, f64: Float64Array};

    /** Arrays of one launch, all together: what a page can be asked to fill. */
    const mostBytes = 64 * 1024 * 1024;
    const mostShown = 4096;

    /**
     * One argument of a launch.
     * @typedef {object} PlannedArgument
     * @property {string} type as in PTX
     * @property {string} [array] its name, if it is an array
     * @property {number} [count] elements of the array
     * @property {ArrayBufferView} [values] of the array, or of the number; an array without them is unset
     */

    /**
     * A launch with all numbers in it.
     * @typedef {object} Plan
     * @property {number[]} grid x, y, z
     * @property {number[]} block x, y, z
     * @property {number} shared bytes of dynamic shared memory
     * @property {boolean} cooperative whether all blocks are there at once
     * @property {PlannedArgument[]} arguments in order
     * @property {lanes.Scope} scope what names stand for
     */

    /**
     * Works a recipe out.
     * @param {object} recipe a launch of launches.json
     * @param {object} kernel the one of its kernels that is run
     * @param {Record<string, number>} sizes the reader's choice
     * @returns {Plan}
     * @throws {Error} if a size is not allowed, or all sizes together ask for too much
     */
    lanes.planLaunch = (recipe, kernel, sizes) => {
        const scope = new lanes.Scope();
        for (const [name, value] of Object.entries(checkedSizes(recipe, sizes))) scope.set(name, value);
        for (const [name, text] of Object.entries({...kernel.let, ...recipe.let}))
            scope.set(name, lanes.expression(text)(scope));
        return {
            grid: extent(recipe.grid, scope, 'blocks'),
            block: extent(recipe.block, scope, 'threads'),
            shared: whole(lanes.expression(recipe.shared ?? '0')(scope), 'bytes of shared memory', 0),
            cooperative: recipe.cooperative === true,
            arguments: plannedArguments(recipe, scope),
            scope,
        };
    };

    function checkedSizes(recipe, sizes) {
        for (const {name, label, minimum, maximum, step = 1} of recipe.sizes) {
            const value = sizes[name];
            if (!Number.isInteger(value) || value < minimum || value > maximum)
                throw new Error(`${label}: a page runs whole numbers from ${minimum} to ${maximum}. For larger sizes ` +
                                'there is lanes run, on your own machine.');
            if ((value - minimum) % step !== 0) throw new Error(`${label}: ${minimum} and then steps of ${step}.`);
        }
        return sizes;
    }

    function whole(value, what, least) {
        const rounded = Math.ceil(value);
        if (!(rounded >= least)) throw new Error(`${value} is no number of ${what}.`);
        return rounded;
    }

    function extent(texts, scope, what) {
        const values = texts.map((text) => whole(lanes.expression(text)(scope), what, 1));
        return [...values, 1, 1].slice(0, 3);
    }

    function plannedArguments(recipe, scope) {
        const counts = recipe.arguments.map(({length}) =>
            length === undefined ? 1 : whole(lanes.expression(length)(scope), 'elements', 1));
        const bytes = recipe.arguments.reduce(
            (sum, {type}, at) => sum + counts[at] * arraysOf[type].BYTES_PER_ELEMENT, 0);
        if (bytes > mostBytes) {
            const mebibytes = (size) => `${Math.ceil(size / 1024 / 1024)} MiB`;
            throw new Error(`These arrays need ${mebibytes(bytes)}; a page gives ${mebibytes(mostBytes)}.`);
        }
        return recipe.arguments.map((argument, at) => plannedArgument(argument, counts[at], at, scope));
    }

    function plannedArgument({array, type, values, value}, count, at, scope) {
        if (array === undefined) return {type, values: filled(type, 1, () => lanes.expression(value)(scope))};
        if (values === undefined) return {type, array, count};
        scope.set('array', at);
        const element = lanes.expression(values);
        const made = filled(type, count, (i) => {
            scope.set('i', i);
            return element(scope);
        });
        scope.set(array, made);
        return {type, array, count, values: made};
    }

    function filled(type, count, element) {
        const values = new arraysOf[type](count);
        const store = type.endsWith('64') && type !== 'f64' ? BigInt : Number;
        for (let i = 0; i < count; ++i) values[i] = store(element(i));
        return values;
    }

    /**
     * What the kernel left behind, and whether it is right.
     * @typedef {object} Verdict
     * @property {boolean} right all elements are
     * @property {string} text a sentence
     * @property {string} name of the array
     * @property {ArrayLike<number>} values its first elements
     * @property {number} count elements of the whole array
     * @property {number} columns elements of a row; 0 if it is no matrix
     * @property {Set<number>} wrong elements among the first that are not right
     */

    /**
     * Looks at the result of a launch.
     * @param {object} recipe of the launch
     * @param {Plan} plan the launch
     * @param {{argument: number, values: ArrayLike<number|bigint>}[]} buffers the arrays, as the kernel left them
     * @returns {Verdict}
     */
    lanes.judgeResult = (recipe, plan, buffers) => {
        const {scope} = plan;
        for (const {argument, values} of buffers) scope.set(`${plan.arguments[argument].array}_after`, values);
        const {result} = recipe;
        const values = scope.get(`${result.array}_after`);
        const wrong = wrongElements(result, values, scope);
        return {
            right: wrong.length === 0,
            text: wrong.length === 0 ? `The result is right: ${result.says}.` : complaint(result, wrong, values),
            name: result.array,
            values: values.slice(0, mostShown),
            count: values.length,
            columns: result.columns === undefined ? 0 : lanes.expression(result.columns)(scope),
            wrong: new Set(wrong.map(({at}) => at)),
        };
    };

    function wrongElements({expected, holds, where = '1', tolerance = 0}, values, scope) {
        const looked = lanes.expression(where);
        const wanted = lanes.expression(expected ?? holds);
        const wrong = [];
        for (let i = 0; i < values.length; ++i) {
            scope.set('i', i);
            if (looked(scope) === 0) continue;
            const want = wanted(scope);
            const found = Number(values[i]);
            const right = expected === undefined ? want !== 0 : Math.abs(found - want) <= tolerance * Math.abs(want);
            if (!right) wrong.push({at: i, want});
        }
        return wrong;
    }

    function complaint({array, expected}, wrong, values) {
        const [{at, want}] = wrong;
        const others = wrong.length === 1 ? 'All others are right.' : `${wrong.length} of ${values.length} are wrong.`;
        const instead = expected === undefined ? '' : `, not ${want}`;
        return `The result is wrong: ${array}[${at}] is ${values[at]}${instead}. ${others}`;
    }
})();
