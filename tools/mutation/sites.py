"""Finds what can be mutated in a C++ file, and inserts all mutants into a copy of it.

No compiler is used: the sources are formatted by clang-format, so that binary operators, and nothing else, have
white space on both sides (`a < b` compares, `vector<int>` does not). The operands follow from precedence
and brackets. Sites are in the bodies of functions; compile-time constants and assertions are left alone.
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(r"""
    (?P<skip>\s+ | //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
  | (?P<text>R"(?P<mark>[^(]*)\(.*?\)(?P=mark)" | (?:u8|[uUL])?"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])+')
  | (?P<number>\.?\d(?:[eEpP][+-]|['.\w])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark_sign><=>|<<=|>>=|->\*|\.\.\.|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

PRECEDENCE = {"*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "<": 10, "<=": 10, ">": 10, ">=": 10,
              "==": 9, "!=": 9, "&": 8, "^": 7, "|": 6, "&&": 5, "||": 4}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
BOUNDARIES = ASSIGNMENTS | {",", ";", "?", ":", "return", "throw", "case", "else"}
PAIRS = {"(": ")", "[": "]", "{": "}"}

# Operator: its mutant, and the function of mutant.h that is either of the two.
OPERATORS = {"<": ("<=", "less"), "<=": ("<", "less_equal"), ">": (">=", "greater"), ">=": (">", "greater_equal"),
             "==": ("!=", "equal"), "!=": ("==", "not_equal"), "+": ("-", "sum"), "-": ("+", "difference"),
             "&&": ("||", "both"), "||": ("&&", "either")}
CONSTANTS = {"0": "1", "1": "0", "0u": "1u", "1u": "0u", "0.0": "1.0", "1.0": "0.0", "true": "false", "false": "true"}
TYPES = {"namespace", "struct", "class", "enum", "union"}
UNTOUCHED = {"constexpr", "static_assert", "assert", "using", "typedef", "template", "case"}
NOT_A_STATEMENT = TYPES | UNTOUCHED | {"if", "for", "while", "do", "switch", "return", "throw", "else", "try", "catch",
                                       "const", "auto", "static", "default", "goto", "delete", "public", "private"}
CONTROL = {"if", "for", "while", "switch", "constexpr"}


@dataclass(frozen=True)
class Token:
    text: str
    begin: int
    spaced: bool  # white space on both sides

    @property
    def end(self) -> int:
        return self.begin + len(self.text)


@dataclass(frozen=True)
class Site:
    """One place with one mutant: `before` becomes `after`. The span [begin, end) of the text is wrapped in `open` and
    `close`; in an operator's span the operator itself, at `middle`, becomes `joint`."""
    kind: str  # relation, logic, arithmetic, constant, condition or statement
    before: str
    after: str
    begin: int
    end: int
    open: str  # with {} for the number of the site
    close: str
    middle: int = -1
    joint: str = ""


def tokenize(text: str) -> list[Token]:
    tokens = []
    for match in TOKEN.finditer(text):
        if match.lastgroup == "skip":
            continue
        begin, end = match.span()
        spaced = text[begin - 1:begin].isspace() and text[end:end + 1].isspace()
        tokens.append(Token(match.group(), begin, spaced))
    return tokens


class Sites:
    """The sites of one file, in the order of the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.match = self._match_brackets()
        self.sites: list[Site] = []
        self._walk()
        self.sites.sort(key=lambda site: (site.begin, -site.end))

    def _match_brackets(self) -> dict[int, int]:
        match, stack = {}, []
        for i, token in enumerate(self.tokens):
            if token.text in PAIRS:
                stack.append(i)
            elif token.text in PAIRS.values():
                opened = stack.pop()
                assert PAIRS[self.tokens[opened].text] == token.text, f"brackets at {self.line(token.begin)}"
                match[opened], match[i] = i, opened
        assert not stack
        return match

    def line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1

    def _is(self, i: int, *texts: str) -> bool:
        return 0 <= i < len(self.tokens) and self.tokens[i].text in texts

    def _walk(self) -> None:
        scopes: list[str] = []  # of the brackets around: code, type, list or ( [
        for i, token in enumerate(self.tokens):
            if token.text == "{":
                scopes.append(self._kind_of_brace(i, scopes))
            elif token.text in PAIRS:
                scopes.append(token.text)
            elif token.text in PAIRS.values():
                scopes.pop()
            elif self._in_function(scopes) and not self._is_for_the_compiler(i):
                self._look_at(i, scopes[-1] == "code")

    def _kind_of_brace(self, i: int, scopes: list[str]) -> str:
        before = self.tokens[i - 1].text if i > 0 else ";"
        if before in {")", "]", "else", "do", "try", "const", "override", "noexcept", "mutable", ":"}:
            return "code"
        if before in {";", "}"} or (before == "{" and scopes[-1] == "code"):
            return "code"
        j = i - 1
        while j >= 0 and self.tokens[j].text not in {";", "{", "}", "(", ",", "=", "return", "->"}:
            if self.tokens[j].text in TYPES:
                return "type"
            j -= 1
        return "code" if self._is(j, "->") and self._is(j - 1, ")", "]") else "list"

    @staticmethod
    def _in_function(scopes: list[str]) -> bool:
        blocks = [scope for scope in scopes if scope in {"code", "type"}]
        return bool(blocks) and blocks[-1] == "code"

    def _is_for_the_compiler(self, i: int) -> bool:
        """Whether the statement has compile-time constants."""
        j = i
        while j >= 0 and self.tokens[j].text not in {";", "{", "}"}:
            if self.tokens[j].text in UNTOUCHED and not self._is(j - 1, "if"):
                return True
            j = self.match[j] if self.tokens[j].text in {")", "]"} else j
            j -= 1
        return False

    def _look_at(self, i: int, in_block: bool) -> None:
        token = self.tokens[i]
        if token.text in OPERATORS and token.spaced:
            self._add_operator(i)
        if token.text in CONSTANTS and not self._is_template_argument(i):
            after = CONSTANTS[token.text]
            self._add("constant", token.text, after, token.begin, token.end, "constant({}, ", ")")
        if token.text == "if" and self._is(i + 1, "("):
            self._add_condition(i + 1)
        if in_block and self._starts_statement(i):
            self._add_statement(i)

    def _is_template_argument(self, i: int) -> bool:
        before, after = self.tokens[i - 1], self.tokens[i + 1]
        return (before.text == "<" and not before.spaced) or (after.text in {">", ">>"} and not after.spaced)

    def _add(self, kind: str, before: str, after: str, begin: int, end: int, opened: str, closed: str,
             middle: int = -1, joint: str = "") -> None:
        self.sites.append(Site(kind, before, after, begin, end, "ndnf_mutation::" + opened, closed, middle, joint))

    def _add_operator(self, i: int) -> None:
        token = self.tokens[i]
        begin, end = self._left_operand(i), self._right_operand(i)
        if begin is None or end is None:
            return
        mutant, function = OPERATORS[token.text]
        if token.text in {"&&", "||"}:
            self._add("logic", token.text, mutant, begin, end, function + "({}, static_cast<bool>(", "); })",
                      token.begin, "), [&] { return static_cast<bool>(")
        else:
            kind = "arithmetic" if token.text in {"+", "-"} else "relation"
            self._add(kind, token.text, mutant, begin, end, function + "({}, ", ")", token.begin, ",")

    def _binds_less(self, i: int, precedence: int) -> bool:
        token = self.tokens[i]
        return token.spaced and PRECEDENCE.get(token.text, 99) < precedence

    def _left_operand(self, i: int) -> int | None:
        precedence = PRECEDENCE[self.tokens[i].text]
        j = i - 1
        while not (self.tokens[j].text in BOUNDARIES or self.tokens[j].text in PAIRS or self._binds_less(j, precedence)):
            if self.tokens[j].text in PAIRS.values():
                j = self.match[j]
            j -= 1
        return self.tokens[j + 1].begin if j + 1 < i else None

    def _right_operand(self, i: int) -> int | None:
        precedence = PRECEDENCE[self.tokens[i].text] + 1
        j = i + 1
        while not (self.tokens[j].text in BOUNDARIES or self.tokens[j].text in PAIRS.values()
                   or self._binds_less(j, precedence)):
            if self.tokens[j].text in PAIRS:
                j = self.match[j]
            j += 1
        return self.tokens[j - 1].end if j - 1 > i else None

    def _add_condition(self, i: int) -> None:
        inside = range(i + 1, self.match[i])
        top = [j for j in inside if self.tokens[j].text in ASSIGNMENTS | {";"} and self._depth(j, i) == 1]
        if not top:  # a declaration is no condition
            begin, end = self.tokens[i].end, self.tokens[self.match[i]].begin
            self._add("condition", "if (…)", "if (!(…))", begin, end, "flipped({}, static_cast<bool>(", "))")

    def _depth(self, j: int, opened: int) -> int:
        return sum(1 for k in range(opened, j) if self.tokens[k].text in PAIRS and self.match[k] > j)

    def _starts_statement(self, i: int) -> bool:
        if self._is(i - 1, ";", "{", "}", "else"):
            return True
        if not self._is(i - 1, ")"):
            return False
        return self._is(self.match[i - 1] - 1, *CONTROL)

    def _add_statement(self, i: int) -> None:
        end = self._statement_end(i)
        if end is not None:
            self._add("statement", "statement", "nothing", self.tokens[i].begin, self.tokens[end].end,
                      "kept({})) ", " }")

    def _statement_end(self, i: int) -> int | None:
        """The semicolon of a call, an assignment, `++x`, `break` or `continue`; nothing for declarations and the rest."""
        if self.tokens[i].text in {"break", "continue"}:
            return i + 1
        j = i + 1 if self._is(i, "++", "--", "*") else i
        if self.tokens[j].text in NOT_A_STATEMENT or not re.match(r"[A-Za-z_]", self.tokens[j].text):
            return None
        j += 1
        while self._is(j, "::", ".", "->", "(", "["):
            j = self.match[j] + 1 if self.tokens[j].text in PAIRS else j + 2
        if self._is(j, "++", "--"):
            j += 1
        if self._is(j, *ASSIGNMENTS):
            while not self._is(j, ";"):
                j = self.match[j] + 1 if self.tokens[j].text in PAIRS else j + 1
        return j if self._is(j, ";") else None


def weave(text: str, sites: list[Site], first: int) -> str:
    """The text with all sites in it, numbered from `first`."""
    opened: dict[int, list[tuple[int, int, str]]] = {}
    closed: dict[int, list[tuple[int, int, str]]] = {}
    joints: dict[int, Site] = {}
    for number, site in enumerate(sites, first):
        prefix = "{ if (" if site.kind == "statement" else ""
        size = site.end - site.begin
        opened.setdefault(site.begin, []).append((-size, number, prefix + site.open.replace("{}", str(number))))
        closed.setdefault(site.end, []).append((size, -number, site.close))
        if site.middle >= 0:
            joints[site.middle] = site
    pieces, position = [], 0
    for at in sorted(opened.keys() | closed.keys() | joints.keys()):
        pieces.append(text[position:at])
        position = max(position, at)
        pieces += [close for _, _, close in sorted(closed.get(at, []))]
        pieces += [open_ for _, _, open_ in sorted(opened.get(at, []))]
        if at in joints:
            pieces.append(joints[at].joint)
            position = at + len(joints[at].before)
    return '#include "mutant.h"\n#line 1\n' + "".join(pieces) + text[position:]
