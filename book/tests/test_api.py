"""The pages of the programming interfaces keep up with what Doxygen writes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from lanes_book.api import lighten_pages, read_anew_what_doxygen_dropped


def test_pages_of_files_that_are_gone_are_read_again(tmp_path: Path) -> None:
    there, gone = tmp_path / "there.xml", tmp_path / "gone.xml"
    there.touch()
    env = SimpleNamespace(breathe_file_state={str(there): (0, {"api/model"}), str(gone): (0, {"api/kernels", "old"})})
    assert read_anew_what_doxygen_dropped(None, env, set(), set(), {"old"}) == ["api/kernels"]
    assert list(env.breathe_file_state) == [str(there)]


def test_a_first_build_has_nothing_to_read_again() -> None:
    assert read_anew_what_doxygen_dropped(None, SimpleNamespace(), set(), set(), set()) == []


def test_pages_are_light_and_name_classes_without_namespaces() -> None:
    pre = '<span class="pre">{}</span>'.format
    text = f'<code class="literal">{pre("int")}</code>'
    context = {
        "toc": f"<code>{pre('lanes::model::BankMap')}</code><code>{pre('bank_of()')}</code>",
        "body": f'<dt class="sig cpp"><span class="n">{pre("int")}</span></dt><dd>{text}</dd>',
    }
    lighten_pages(SimpleNamespace(), "api/model", "page.html", context, None)
    assert context["toc"] == f"<code>{pre('BankMap')}</code><code>{pre('bank_of()')}</code>"
    assert context["body"] == f'<dt class="sig cpp"><span class="n">int</span></dt><dd>{text}</dd>'
