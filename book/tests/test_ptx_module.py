"""One kernel out of a program's PTX: what it needs comes along, and nothing else."""

from __future__ import annotations

import pytest
from lanes_book.errors import BookError
from lanes_book.ptx_module import PtxModule, name_in_book

PTX = """//
// Made by a compiler
//
.version 9.0
.target sm_80
.address_size 64

.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 4 .b8 table[8] = {1, 2,
3, 4};
.shared .align 4 .b8 _ZZ3sumE5words[128];
.extern .shared .align 16 .b8 kept[];

.func (.param .b32 out) half(
.param .b32 in
)
{
ld.global.u32 %r1, [table];
ret;
}

.visible .entry sum(
.param .u64 sum_param_0
)
.maxntid 128, 1, 1
{
.loc\t2 10 5
st.shared.u32 [_ZZ3sumE5words], %r1;
.loc\t3 7 1, function_name $L__info_string1, inlined_at 1 12 5
{ // callseq
call.uni (r), half, (a);
}
ret;
}

.visible .entry plain()
{
.loc\t1 1 1
ret;
}
.file\t1 "/home/someone/book/chapters/01_sample/sample.cu"
.file\t2 "/home/someone/book/chapters/01_sample/part.cuh"
.file\t3 "/opt/cuda/targets/x86_64-linux/include/sm_30_intrinsics.hpp"
.section\t.debug_str
{
$L__info_string0:
.b8 65,0
$L__info_string1:
.b8 66,
67,0
}
"""


def test_a_kernel_brings_what_it_mentions_and_what_that_mentions() -> None:
    text = PtxModule(PTX).kernel("sum")
    assert text.startswith(".version 9.0\n.target sm_80\n.address_size 64\n")
    for needed in (
        "words[128]",
        ".func (.param .b32 out) half(",
        "table[8] = {1, 2,\n3, 4};",
        ".entry sum(",
        ".maxntid",
    ):
        assert needed in text
    for other in ("vprintf", "kept", "plain"):
        assert other not in text


def test_files_and_names_of_functions_are_those_of_its_lines() -> None:
    text = PtxModule(PTX).kernel("sum")
    assert '.file\t1 "chapters/01_sample/sample.cu"' in text
    assert '.file\t2 "chapters/01_sample/part.cuh"' in text
    assert '.file\t3 "/targets/x86_64-linux/include/sm_30_intrinsics.hpp"' in text
    assert "$L__info_string1:\n.b8 66,\n67,0" in text
    assert "$L__info_string0" not in text
    assert "someone" not in text


def test_a_kernel_without_lines_of_others_has_no_debug_section() -> None:
    text = PtxModule(PTX).kernel("plain")
    assert ".section" not in text
    assert text.count(".file") == 1


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/a/b/chapters/01_x/x.cu", "chapters/01_x/x.cu"),
        ("chapters/01_x/x.cu", "chapters/01_x/x.cu"),
        ("/a/b/exercises/11_y/y.cu", "exercises/11_y/y.cu"),
        ("/usr/include/cuda/half.hpp", "/targets/x86_64-linux/include/half.hpp"),
    ],
)
def test_no_path_says_where_it_was_compiled(path: str, name: str) -> None:
    assert name_in_book(path) == name


def test_what_is_not_there_or_no_ptx_is_an_error() -> None:
    with pytest.raises(BookError, match="no kernel 'other'"):
        PtxModule(PTX).kernel("other")
    with pytest.raises(BookError, match="the PTX does not begin with"):
        PtxModule(".visible .entry f()\n{\nret;\n}\n")
    with pytest.raises(BookError, match="ends inside of"):
        PtxModule(PTX.replace("ret;\n}\n.file", "ret;\n.file"))
