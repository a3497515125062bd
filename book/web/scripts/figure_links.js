'use strict';

// Links in the text that set a figure of their page, made by the role `setting`. Without scripts they lead to it.
(() => {
    const lanes = (globalThis.lanes ??= {});

    document.addEventListener('click', (event) => {
        const link = event.target.closest('a.live-setting');
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;  // a new tab shows it as well
        const figure = document.getElementById(link.hash.slice(1));
        if (!(figure instanceof lanes.Figure)) return;
        event.preventDefault();
        figure.show(new URLSearchParams(link.search).get(figure.id) ?? '');
        figure.scrollIntoView({block: 'nearest'});
    });
})();
