"""QuestionAnswers as people ask them, with cards, names and stories: which rules answer them."""
