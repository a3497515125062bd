"""Parts of a chapter with a look of their own: predictions, questions with folded answers, the summary card."""

from __future__ import annotations

from docutils import nodes

from .directive import BookDirective, fold
from .errors import BookError


class Predict(BookDirective):
    """Argument: a question for the reader. Content: the answer, closed at first."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def make(self) -> list[nodes.Node]:
        if not self.content:
            raise BookError("no answer: the content of the directive is what opens")
        question = nodes.paragraph("", "", *self.inline(self.arguments[0]), classes=["question"])
        answer = fold("Say a number first, then open", self.parse_content_to_nodes(), "fold answer")
        label = nodes.paragraph("", "Predict", classes=["box-label"])
        return [nodes.container("", label, question, *answer, classes=["box", "predict"])]


class Questions(BookDirective):
    """Content: a numbered list. Each item is a question; a bullet inside it is the answer, closed at first."""

    has_content = True

    def make(self) -> list[nodes.Node]:
        content = self.parse_content_to_nodes()
        if len(content) != 1 or not isinstance(content[0], nodes.enumerated_list):
            raise BookError("the content is one numbered list of questions")
        for number, item in enumerate(content[0].children, start=1):
            self._fold_answer(number, item)
        content[0]["classes"].append("questions")
        return content

    @staticmethod
    def _fold_answer(number: int, item: nodes.Node) -> None:
        answer = item.children[-1] if item.children else None
        if len(item.children) < 2 or not isinstance(answer, nodes.bullet_list) or len(answer) != 1:
            raise BookError(f"question {number} is not a text followed by one bullet with the answer")
        item.replace(answer, fold("Answer", list(answer[0].children), "fold answer"))


class Card(BookDirective):
    """Argument: a title. Content: what to remember."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def make(self) -> list[nodes.Node]:
        title = nodes.paragraph("", "", *self.inline(self.arguments[0]), classes=["box-label"])
        return [nodes.container("", title, *self.parse_content_to_nodes(), classes=["box", "card"])]
