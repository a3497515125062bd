// What is wider than the page scrolls sideways. Where it does, the keyboard reaches it, and a screen reader names it.
'use strict';

(() => {
    const names = {
        pre: 'Code',
        '.table-wrapper': 'Table',
        'div.math': 'Equation',
        '.picture-scroll': 'Picture',
        '.fold-content': 'Details',
        '.sidebar-scroll': 'Contents of the book',
        '.toc-scroll': 'Contents of this page',
    };

    /**
     * @param {Element} part
     * @param {string} name what it is
     */
    function update(part, name) {
        const scrolls = part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
        if (scrolls && getComputedStyle(part).overflow !== 'visible') {
            part.tabIndex = 0;
            part.setAttribute('role', 'group');
            part.setAttribute('aria-label', `${name}, scrolls`);
        } else if (part.getAttribute('role') === 'group') {
            for (const attribute of ['tabindex', 'role', 'aria-label']) {
                part.removeAttribute(attribute);
            }
        }
    }

    document.addEventListener('DOMContentLoaded', () => {
        const known = new Map();
        const sizes = new ResizeObserver((entries) => {
            for (const {target} of entries) {
                update(target, known.get(target));
            }
        });
        for (const [selector, name] of Object.entries(names)) {
            for (const part of document.querySelectorAll(selector)) {
                known.set(part, name);
                sizes.observe(part);
            }
        }
    });
})();
