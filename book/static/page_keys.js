// Keys that turn pages: left and right, as long as nothing on the page has the focus and could want them itself.
'use strict';

(() => {
    const turns = {ArrowLeft: 'prev', ArrowRight: 'next'};

    /** @returns {boolean} whether the focus is nowhere, or where arrow keys mean nothing */
    function arrowsAreFree() {
        const focused = document.activeElement;
        return focused === null || focused === document.body || focused.id === 'furo-main-content';
    }

    document.addEventListener('keydown', (event) => {
        if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
            return;
        }
        if (event.key === 'Escape') {
            for (const drawer of document.querySelectorAll('.sidebar-toggle:checked')) {
                drawer.checked = false;
            }
        }
        const link = turns[event.key] && document.querySelector(`head link[rel="${turns[event.key]}"]`);
        if (link && arrowsAreFree()) {
            window.location.href = link.href;
        }
    });
})();
