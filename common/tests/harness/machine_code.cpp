#include "machine_code.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace lanes::tools;
using Lines = std::vector<std::string>;

const std::string ptx = R"(//
// Based on NVVM 7.0.1
.version 9.0
.target sm_80, debug
.address_size 64
	// .globl	_Z4copyPKfPf
.visible .entry _Z4copyPKfPf(
	.param .u64 _Z4copyPKfPf_param_0
)
.maxntid 256, 1, 1
{
	.reg .pred 	%p<2>;
	.loc	1 7 0
	ld.param.u64 	%rd1, [_Z4copyPKfPf_param_0];
	@%p1 bra 	$L__BB0_2;  // past the end

$L__BB0_2:
	{ // callseq 0, 0
	} // callseq 0
	// begin inline asm
	{ .reg .pred p; @p add.u32 %r6, %r6, 1; }
	// end inline asm
	ret;
}
.entry plain()
{
	ret;
}
	.section	.debug_str
	{
	}
)";

const std::string sass =
    "\tcode for sm_90\n\t\tFunction : _Z3sumILi2EEvPf\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;  /* 0x00000a00ff017b82 */\n"
    "                                                           /* 0x000fe20000000800 */\n"
    "        /*0010*/              @!P0 BRA 0x10 ;              /* 0x00000a00ff017b82 */\n"
    "        /*0020*/                   BRA 0x20;               /* 0xfffffffc00fc7947 */\n"
    "        /*0030*/                   NOP;                    /* 0x0000000000007918 */\n";

template <typename Read>
std::string error_of(const Read& read, const std::string& text) {
    try {
        read(text, "a.txt");
        return "none";
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("machine_code: instructions and labels of PTX, without directives and comments") {
    const MachineCode code = machine_code_of_ptx(ptx, "a.ptx");
    CHECK(code.target == "sm_80");
    REQUIRE(code.kernels.size() == 2);
    CHECK(code.kernels[0].name == "copy");
    CHECK(code.kernels[0].symbol == "_Z4copyPKfPf");
    CHECK(code.kernels[0].code == Lines{"ld.param.u64 %rd1, [_Z4copyPKfPf_param_0];", "@%p1 bra $L__BB0_2;",
                                        "$L__BB0_2:", "{", "}", "{ .reg .pred p; @p add.u32 %r6, %r6, 1; }", "ret;"});
    CHECK(code.kernels[1].name == "plain");
    CHECK(code.kernels[1].code == Lines{"ret;"});
}

TEST_CASE("machine_code: instructions of SASS, without encodings and what fills the end") {
    const MachineCode code = machine_code_of_sass(sass, "a.sass");
    CHECK(code.target == "sm_90");
    REQUIRE(code.kernels.size() == 1);
    CHECK(code.kernels[0].name == "sum<2>");
    CHECK(code.kernels[0].code == Lines{"0000: LDC R1, c[0x0][0x28]", "0010: @!P0 BRA 0x10"});
}

TEST_CASE("machine_code: what is no listing, or not of one architecture, is refused") {
    CHECK(error_of(machine_code_of_ptx, "") == "a.txt holds no kernel in PTX");
    CHECK(error_of(machine_code_of_ptx, ptx.substr(0, ptx.find("ret;"))) == "a.txt: the kernel copy does not end");
    CHECK(error_of(machine_code_of_sass, ptx) == "a.txt holds no kernel in machine code");
    CHECK(error_of(machine_code_of_sass, sass + "\tcode for sm_80\n").find("for sm_90 and for sm_80") !=
          std::string::npos);
    CHECK(error_of(machine_code_of_sass, sass + sass) == "none");
    CHECK(error_of(machine_code_of_sass, "Function : f\n/*").find("none") == 0);
}
