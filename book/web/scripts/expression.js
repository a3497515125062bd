'use strict';

// Arithmetic out of a data file: the sizes, contents and results of launches. It can compute, and nothing else.
//
//     numbers, names, array[index], ( )
//     - ! ~    * / %    + -    << >>    < <= > >=    == !=    & ^ |    && ||    condition ? this : that
//     floor ceil min max abs exp, u32 (modulo 2^32), multiply32, random(low, high)
//     sum(name, from, to, body)          the body's sum for name = from, from + 1, ..., to - 1
//     maximum(name, from, to, body)      its largest value
//     repeat(times, name, start, body)   start; then the body, of what came before, so often
//     let(name, value, body)
//
// Numbers are doubles; ~ << >> & ^ | work on unsigned 32-bit words. Operators bind as in C++.
(() => {
    const lanes = (globalThis.lanes ??= {});

    /** Every name has a place of its own, the same in all scopes: to look it up is to take an element of an array. */
    const places = new Map();

    function placeOf(name) {
        if (!places.has(name)) places.set(name, places.size);
        return places.get(name);
    }

    /** What names stand for. */
    lanes.Scope = class Scope {
        /** By place; for the functions of this file. */
        values = [];

        /**
         * Gives a name a meaning.
         * @param {string} name as in expressions
         * @param {number|ArrayLike<number|bigint>} value what it stands for from now on
         */
        set(name, value) {
            this.values[placeOf(name)] = value;
        }

        /**
         * What a name stands for.
         * @param {string} name as in expressions
         * @returns {number|ArrayLike<number|bigint>|undefined}
         */
        get(name) {
            return this.values[placeOf(name)];
        }
    };

    const levels = [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '<=', '>', '>='], ['<<', '>>'], ['+', '-'],
                    ['*', '/', '%']];

    const operators = {
        '|': (a, b) => (a | b) >>> 0,
        '^': (a, b) => (a ^ b) >>> 0,
        '&': (a, b) => (a & b) >>> 0,
        '==': (a, b) => Number(a === b),
        '!=': (a, b) => Number(a !== b),
        '<': (a, b) => Number(a < b),
        '<=': (a, b) => Number(a <= b),
        '>': (a, b) => Number(a > b),
        '>=': (a, b) => Number(a >= b),
        '<<': (a, b) => (a << b) >>> 0,
        '>>': (a, b) => a >>> b,
        '+': (a, b) => a + b,
        '-': (a, b) => a - b,
        '*': (a, b) => a * b,
        '/': (a, b) => a / b,
        '%': (a, b) => a % b,
    };

    const functions = {
        floor: Math.floor,
        ceil: Math.ceil,
        min: Math.min,
        max: Math.max,
        abs: Math.abs,
        exp: Math.exp,
        u32: (value) => ((value % 4294967296) + 4294967296) % 4294967296,
        multiply32: (a, b) => Math.imul(a, b) >>> 0,
    };

    /** A whole number from low to high, by the element's number and the array's: the same in every run. */
    function random(low, high, element, array) {
        let bits = Math.imul(element + 1, 0x9e3779b1) ^ Math.imul(array + 1, 0x85ebca6b);
        bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
        bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
        return low + Math.floor(((bits ^ (bits >>> 16)) >>> 0) / 4294967296 * (high - low + 1));
    }

    /** `calculate`, after which the name at a place stands for what it did before. */
    const binding = (place, calculate) => (scope) => {
        const before = scope[place];
        const result = calculate(scope);
        scope[place] = before;
        return result;
    };

    /** The body for each number, joined by an operator. */
    const over = (place, from, to, body, first, join) => binding(place, (scope) => {
        let total = first;
        const end = to(scope);
        for (let at = from(scope); at < end; ++at) {
            scope[place] = at;
            total = join(total, body(scope));
        }
        return total;
    });

    // Each takes the compiled parts of its call.
    const forms = {
        sum: (place, from, to, body) => over(place, from, to, body, 0, (a, b) => a + b),
        maximum: (place, from, to, body) => over(place, from, to, body, -Infinity, Math.max),
        repeat: (times, place, start, body) => binding(place, (scope) => {
            let value = start(scope);
            for (let left = times(scope); left > 0; --left) {
                scope[place] = value;
                value = body(scope);
            }
            return value;
        }),
        let: (place, value, body) => binding(place, (scope) => {
            scope[place] = value(scope);
            return body(scope);
        }),
    };
    const nameAmongParts = {sum: 0, maximum: 0, repeat: 1, let: 0};

    /** Reads a text from left to right, a function for each level of binding. */
    class Parser {
        #text;
        #words;
        #at = 0;

        constructor(text) {
            this.#text = text;
            this.#words = text.match(/\d+(?:\.\d+)?|[A-Za-z_]\w*|<<|>>|<=|>=|==|!=|&&|\|\||\S/g) ?? [];
        }

        parse() {
            const compiled = this.#choice();
            if (this.#at < this.#words.length) this.#fail(`"${this.#words[this.#at]}" is too much`);
            return compiled;
        }

        #fail(problem) {
            throw new Error(`"${this.#text}" is no expression: ${problem}`);
        }

        #take(word) {
            if (this.#words[this.#at] !== word) return false;
            ++this.#at;
            return true;
        }

        #demand(word) {
            if (!this.#take(word)) this.#fail(`"${word}" is missing before "${this.#words[this.#at] ?? 'the end'}"`);
        }

        #choice() {
            const condition = this.#binary(0);
            if (!this.#take('?')) return condition;
            const first = this.#choice();
            this.#demand(':');
            const second = this.#choice();
            return (scope) => (condition(scope) !== 0 ? first(scope) : second(scope));
        }

        #binary(level) {
            if (level === levels.length) return this.#unary();
            let left = this.#binary(level + 1);
            while (levels[level].includes(this.#words[this.#at])) {
                const word = this.#words[this.#at++];
                left = combined(word, left, this.#binary(level + 1));
            }
            return left;
        }

        #unary() {
            const sign = ['-', '!', '~'].find((word) => this.#take(word));
            if (!sign) return this.#primary();
            const of = this.#unary();
            if (sign === '-') return (scope) => -of(scope);
            return sign === '!' ? (scope) => Number(of(scope) === 0) : (scope) => ~of(scope) >>> 0;
        }

        #primary() {
            if (this.#take('(')) {
                const inside = this.#choice();
                this.#demand(')');
                return inside;
            }
            if (this.#at === this.#words.length) this.#fail('it ends too early');
            const word = this.#words[this.#at++];
            if (/^\d/.test(word)) return () => Number(word);
            if (!/^[A-Za-z_]/.test(word)) this.#fail(`"${word}" is out of place`);
            if (this.#take('(')) return this.#call(word);
            return this.#take('[') ? this.#element(word) : named(word);
        }

        #element(array) {
            const index = this.#choice();
            this.#demand(']');
            const place = placeOf(array);
            return (scope) => {
                const at = index(scope);
                const value = scope[place]?.[at];
                if (value === undefined) throw new Error(`there is no ${array}[${at}]`);
                return Number(value);
            };
        }

        #call(name) {
            const parts = [];
            while (!this.#take(')')) {
                if (parts.length > 0) this.#demand(',');
                parts.push(parts.length === nameAmongParts[name] ? placeOf(this.#words[this.#at++]) : this.#choice());
            }
            if (name === 'random') {
                const [low, high] = parts;
                const element = placeOf('i'), array = placeOf('array');
                return (scope) => random(low(scope), high(scope), scope[element], scope[array]);
            }
            if (Object.hasOwn(forms, name)) return forms[name](...parts);
            if (!Object.hasOwn(functions, name)) this.#fail(`there is no function ${name}`);
            return (scope) => functions[name](...parts.map((part) => part(scope)));
        }
    }

    /** Two parts with an operator between; the second is left alone if the first decides. */
    function combined(word, left, right) {
        if (word === '&&') return (scope) => Number(left(scope) !== 0 && right(scope) !== 0);
        if (word === '||') return (scope) => Number(left(scope) !== 0 || right(scope) !== 0);
        const operator = operators[word];
        return (scope) => operator(left(scope), right(scope));
    }

    function named(name) {
        const place = placeOf(name);
        return (scope) => {
            const value = scope[place];
            if (typeof value !== 'number') throw new Error(`nothing is called ${name}`);
            return value;
        };
    }

    /**
     * Compiles an expression.
     * @param {string} text see the top of this file
     * @returns {(scope: lanes.Scope) => number} its value, of what its names stand for; `i` and `array` number the
     *     element and the array that `random` is asked for
     * @throws {Error} if the text is none; the function throws if a name stands for nothing
     */
    lanes.expression = (text) => {
        const compiled = new Parser(text).parse();
        return (scope) => compiled(scope.values);
    };
})();
