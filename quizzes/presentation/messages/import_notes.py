"""What was noticed while a file was read: one sentence a code."""

from django.utils.translation import gettext_lazy as _

from quizzes.formats.contract import Note
from quizzes.presentation.messages.imports import FORMAT_LABELS
from quizzes.presentation.messages.problems import language_name
from quizzes.presentation.messages.sentences import Sentences, describe

NOTES: Sentences = {
    "adaptive": _("It asks anew and scores anew as it is answered; no question here does."),
    "answer_ambiguous": _("The answer may name one option by its place and another by its words."),
    "answer_empty": _("An accepted answer is empty."),
    "answer_unknown": _("The letter of the answer is none of the options."),
    "answer_without_mark": _("Words between braces may be no answer: look at them."),
    "answers_of_two_kinds": _("A question has answers of two kinds."),
    "back_missing": _("A card has no back."),
    "band_goes_on": _("Feedback for a score also applies to higher scores."),
    "bank_elsewhere": _("It takes questions from a bank that is not in the file."),
    "belongs_to_no_item": _("A line belongs to no question."),
    "blank_line_at_listing": _("A blank line at a listing was bridged."),
    "blank_line_in_braces": _("A blank line between braces was bridged."),
    "boundary_included": _("The ends of a range count here; there they did not."),
    "bold_as_key": _("The option in bold was taken as the right one."),
    "box_missing": _("An option has no box: look whether it is right."),
    "braces_not_closed": _("Braces are opened and not closed."),
    "braces_taken_as_text": _("Braces that hold no answers were taken as words."),
    "bullet_as_key": _("The option with another bullet was taken as the right one."),
    "calculated": _(
        "Its numbers are calculated anew for each learner; no question here does that."
    ),
    "card_by_program": _("A program makes this card; it is not run here."),
    "cards_left_out": _("Its other cards (the reversed one, say) were left out."),
    "cards_without_header": _(
        "A line was read as a card: its first part asks, its second answers. Nothing in the file"
        " says that these are cards: look whether they are."
    ),
    "category": _("A category became tags of the questions that follow."),
    "category_as_tags": _("A category became tags of the questions that follow."),
    "cell_beside_text": _(
        "A cell beside the text that was read was left out; only the column with the text is read."
    ),
    "cell_comments_left_out": _("Comments on cells were left out."),
    "cell_has_error": _("A cell shows an error of the spreadsheet."),
    "cell_is_date": _("The spreadsheet took a cell for a date or time: look what was meant."),
    "cell_left_out": _("This kind of question has no place for a cell, which was left out."),
    "cloze_as_card": _("A card with gaps became one card; its back has the gaps filled."),
    "column_unknown": _("A column is not known and was left out."),
    "columns_named": _(
        "No row names its two columns: the first was read as the question, the second as its"
        " answer. Line numbers are one higher than in the file: they count a row of headings."
    ),
    "columns_left_out": _("A sheet has too many columns; the last ones were left out."),
    "comment": _("A comment, for authors alone."),
    "content_within": _("There is content within it, which was not read either."),
    "control_characters_removed": _("Characters that cannot be shown were taken out."),
    "crossed_as_wrong": _("Only wrong options are marked: the others were taken as right."),
    "custom_response_processing": _(
        "It is scored by a rule of its own, which no list of right answers can hold."
    ),
    "detail_left_out": _("What a prompt said of its difficulty or kind was left out."),
    "other_question_left_out": _("A question of another format stood in it and was left out."),
    "question_of_other_format": _("A line is of a question in another format."),
    "questions_of_other_format": _(
        "Questions that look like another format (%(format)s) and were not read: %(count)s, on"
        " lines %(lines)s. Import them from a file of their own, or choose that format."
    ),
    "share_without_effect": _(
        "Moodle reads no share of true or false but that of the right one; nor is it read here."
    ),
    "cost_limited": _(
        "A wrong answer costs more there than the question is worth; here it costs all its points."
    ),
    "description_only": _("A text without a question or options."),
    "doctype": _("A file of the package declares a document type of its own, which is not read."),
    "document_type_ignored": _("The file names a document type, which was not looked for."),
    "drawn_at_random": _("It stands for questions drawn by chance; make a pool of them."),
    "duplicate_answer_left_out": _(
        "An answer that another one before it accepts already was left out."
    ),
    "element_dropped": _("A part of the page that is no text was left out."),
    "element_unknown": _("A part of the file is unknown and was left out."),
    "empty_option_left_out": _("An option without words was left out."),
    "empty_pair_left_out": _("A pair without words was left out."),
    "end_blanks_ignored": _(
        "Blanks at the ends of what is typed do not count here; in the file they do."
    ),
    "equal_options": _(
        "An option reads like one above it, and only one of them is right: learners cannot tell."
    ),
    "explanation_or_prompt": _(
        "A paragraph above its question may go on with the explanation of the item before."
    ),
    "feedback_dropped": _("Feedback on a pair was left out."),
    "feedback_unlinked": _("Feedback that nothing leads to was left out."),
    "fence_left_open": _("A listing had no end; it ends before the next question."),
    "field_left_out": _("A field that its card does not show was left out."),
    "file_unreadable": _("A file within the file cannot be read."),
    "file_upload": _("Learners were to hand in a file."),
    "files_asked_for": _("Learners were to hand in files; here they write."),
    "formula_from_mathml": _("A formula was written anew as TeX: compare it."),
    "formula_without_value": _(
        "A formula was never worked out: open the file in a spreadsheet and save it."
    ),
    "full_credit_out_of_reach": _("All right answers together do not earn everything."),
    "gap_answers_left_out": _("A gap has too many answers; the last ones were left out."),
    "gap_catch_all_left_out": _("Feedback for any other answer in a gap was left out."),
    "gap_in_formula": _("A gap is inside a formula; that is not supported."),
    "gap_missing_in_text": _("A gap was missing from the text; it was added at the end."),
    "gap_of_several_answers": _("A gap takes several answers; no question here has such gaps."),
    "gap_points_changed": _("A gap counts less or more than gaps can here; its points changed."),
    "gap_points_levelled": _(
        "What gaps or pairs are worth cannot be told in whole points; all count alike."
    ),
    "gap_unreadable": _("Something that looks like a gap cannot be read."),
    "gaps_at_once": _("Its gaps were recalled one by one; here all are typed at once."),
    "grading_nearly_the_same": _("This order is graded a little differently here."),
    "group_draws": _("The file draws some questions of a group; all came in, without the draw."),
    "hint_left_out": _("A hint was left out: there are none during an attempt."),
    "identifier_missing": _(
        "An option has no identifier, so that no rule can name it: look whether it is right."
    ),
    "identifier_twice": _("Two options have the same identifier; a rule means the first."),
    "image_occlusion": _("Parts of a picture are covered; no question here does that."),
    "item_too_deep": _("It is nested too deeply to be read."),
    "key_in_prompt": _(
        "A ticked box stands above the options: it may be the key of another question."
    ),
    "key_unknown": _("The file does not say which answer is right."),
    "keys_differ": _("The marks on the options and the line with the answer do not agree."),
    "kind_not_in_sheet": _("A row of a sheet cannot hold this kind of question."),
    "kind_unknown": _("This kind of question is unknown here."),
    "language_by_script": _(
        "The language is not told; by its script this one was taken: %(language)s. Choose another"
        " if that is wrong."
    ),
    "language_doubtful": _("Its words seem to be in another language than the file says."),
    "language_of_item": _("It is in another language than the file: %(language)s."),
    "language_unknown": _("The language is not told; English was taken."),
    "languages_differ": _(
        "The languages of a question differ in their parts; only the first came in."
    ),
    "languages_mixed": _("A text speaks several languages at once: part them."),
    "latex_as_text": _("LaTeX that is more than a formula shows as written."),
    "layout_left_out": _("How its card is laid out was left out; its fields came in."),
    "learning_left_out": _("How well somebody knows each card was left out."),
    "letter_as_mark": _("A letter was read as an empty check box."),
    "letters_kept": _(
        "A text names options by their letters or numbers: these stay, and so does their order."
    ),
    "letter_twice": _("Two options have the same letter."),
    "letter_unknown": _("The answer names a letter that no option has."),
    "line_at_margin": _("A line at the margin was joined to the text above it."),
    "line_joined": _("A line was joined to the option above it."),
    "line_left_over": _("A line is not part of any text of the question."),
    "line_misplaced": _("A line became part of another text of the question than in the file."),
    "link_dropped": _("A link that cannot be followed was left out; its words stay."),
    "links_left_out": _("Links to other files were not followed."),
    "listing_as_code": _("Lines of code became a listing."),
    "macros_left_out": _("Programs in the file were left out; none is ever run."),
    "mark_lost": _("The mark of an option is lost; the page says elsewhere that it is right."),
    "mark_lost_not_chosen": _(
        "The mark of an option is lost; nothing says that it was chosen, and all was right."
    ),
    "mark_resolved": _(
        "Marks are lost; this is the only option without an empty mark, and all was right."
    ),
    "marked_by_rule": _("It is marked by a formula or a program, which is not run here."),
    "maximum_score_ignored": _(
        "One answer earns more points than the file's maximum; the points count as shares."
    ),
    "media_elsewhere": _("A sound or a film lies elsewhere and did not come along."),
    "media_unused": _("Files that no text shows were left out."),
    "member_missing": _("A file of the package is not in it."),
    "member_not_read": _("A file of the package that is neither a question nor shown by one."),
    "merged_cell_filled": _("A merged cell was taken for each of its rows."),
    "name_twice": _("Two questions have the same name; the second got another."),
    "negative_credit": _("A typed answer takes away more than all the points; here it takes all."),
    "no_gaps": _("A text with gaps has no gap that can be read."),
    "no_interaction": _("It asks for no answer."),
    "no_question": _("A text without a question."),
    "none_is_right": _("No option is right; here it is to be said that none is."),
    "not_xml": _("A file of the package is no XML."),
    "notes_for_markers_left_out": _("Notes for those who mark were left out: make a rubric."),
    "number_as_list": _(
        "A number was taken as a list of options: the spreadsheet may have changed it."
    ),
    "number_left_out": _("Its number in the other system was left out."),
    "number_unreadable": _("A number cannot be read."),
    "option_empty": _("An option is empty."),
    "option_indented": _("An option stood further in than the others; it is one of them."),
    "options_guessed": _("Options ran together and were parted at sentences: compare them."),
    "options_missing": _("There are no options."),
    "options_not_in_rule": _(
        "The rule says nothing about some of the options; they were taken as wrong."
    ),
    "options_run_together": _("Options on one line were parted at their marks."),
    "order_kept": _("An option names others by their places: the options keep their order."),
    "package_compression": _("A file of the package is packed in a way that is not read here."),
    "package_damaged": _("The package, or a file in it, is damaged."),
    "package_duplicate_name": _("Two files of the package have one name."),
    "package_encrypted": _("A file of the package is encrypted."),
    "package_expands": _("The package unpacks to too much."),
    "package_link": _("The package holds a link or a device."),
    "package_too_big": _("The package is too big."),
    "package_too_deep": _("Packages lie within packages too deeply."),
    "package_too_many": _("The package holds too many files."),
    "package_unsafe_name": _("A name in the package leads out of it."),
    "pair_incomplete": _("A pair lacks one of its sides."),
    "part_of_items_asked": _("Only some of the items were asked; here all are."),
    "partial_credit_left_out": _("What nearly right answers earn was left out."),
    "pattern_elsewhere": _("A pattern of another system: try it on a few answers."),
    "penalty_left_out": _("A penalty for further tries was left out."),
    "penalty_unreadable": _("It cannot be read what a missing unit costs."),
    "picture_elsewhere": _("A picture lies elsewhere and did not come along."),
    "picture_missing": _("A picture lies beside the file and did not come along."),
    "picture_without_words": _("A picture has no words for those who cannot see it."),
    "pictures_in_sheet": _("Pictures that lie on a sheet were left out."),
    "points_unreadable": _("It cannot be read how many points a question is worth."),
    "prompt_missing": _("The question has no text."),
    "quote_left_open": _("A quotation mark is not closed; its line was taken as it stands."),
    "question_below": _("A line below its options tells to answer: it may be another question."),
    "question_in_listing": _(
        "A listing below the options may be a question in another format; it stays a listing."
    ),
    "random_variables": _("It draws its values by chance; no question here does."),
    "range_end_counts": _("An end of a range that did not count there counts here."),
    "range_turned": _("The ends of a range were exchanged."),
    "read_as_windows_1252": _("The file is no UTF-8; it was read as Windows-1252."),
    "reader_failed": _(
        "Reading this failed: a mistake of the program, which was noted for those who mend it."
    ),
    "responses_parted": _("A problem asked for several answers; each became a question."),
    "right_from_a_share": _("It was right from a share of its options on; here all must be right."),
    "right_is_the_other": _("The option chosen is wrong, so the other one is right."),
    "row_before_header": _("A row above the headings."),
    "row_not_read": _("A row holds no question."),
    "run_by_program": _("A listing of the file was to be run as a program; it is not run here."),
    "scoring_method_unknown": _("This way of scoring is unknown for this kind."),
    "score_below_zero": _(
        "Wrong answers cost points: this question’s score can fall to -%(share)s of its points, as "
        "in the file. The total of an attempt never falls below zero."
    ),
    "scored_by_correct_response": _(
        "The file does not say how it is scored; its right answer was taken."
    ),
    "setting_left_out": _("A setting of the quiz was left out."),
    "setting_unreadable": _("A setting cannot be read."),
    "several_by_siblings": _(
        "One option is marked; the page's other questions all let several be chosen, so it does."
    ),
    "several_answer_blocks": _("Several braces hold answers; it cannot be told which count."),
    "several_interactions": _("It asks for several answers of different kinds."),
    "several_prompts": _("Two questions stand above its options; one may have none."),
    "several_right_options": _("Several options are right, but only one may be chosen."),
    "sheet_hidden": _("A hidden sheet was read, too."),
    "sheet_without_header": _("A sheet has no headings of questions and was not read."),
    "sign_left_over": _("A sign that an option is right did not become its key."),
    "solution_left_out": _("A solution for print was left out."),
    "spelling_counts": _("Small slips of spelling were accepted; here they are not."),
    "stem_damaged": _("The question breaks off."),
    "stem_missing": _("Options without a question."),
    "table_head": _("The head of a table of options."),
    "table_simplified": _("A table has joined cells, which were parted."),
    "tags_in_markdown": _("A text mixes Markdown with HTML tags, which show as written."),
    "task_list": _("Nothing asks above these boxes: it may be a list of tasks, not a question."),
    "template_left_out": _("A text to begin with was left out."),
    "test_left_out": _(
        "How the file puts its questions together was left out; make a quiz of them."
    ),
    "several_keyed_lists": _(
        "Two lists of options, each with its key, and nothing between them that asks: they may"
        " be two questions."
    ),
    "star_as_key": _("The option with a star at its end was taken as the right one."),
    "text_among_options": _("Words between two options were joined to the one above them."),
    "text_before_answers": _("Words before the first answer were left out."),
    "text_before_cards": _("Words before the first card."),
    "text_cut": _("A text is too long and was cut."),
    "text_in_cells": _(
        "The file is a table, but no row names columns: the text in its cells was read. Lines are"
        " counted in that text."
    ),
    "text_only": _("A text between questions, without a question."),
    "time_limit_left_out": _("A time limit was left out: here a quiz has one."),
    "tip_shown": _("A hint on a gap follows it in brackets."),
    "too_big": _("A file of the package is too big."),
    "too_deep": _("A file of the package is nested or filled too much."),
    "too_few_items": _("There are too few items to put in order, or one is empty."),
    "too_few_options": _("There are too few options."),
    "too_few_pairs": _("There are too few pairs."),
    "too_many_options": _("It has more options, or other rows, than the %(maximum)s allowed."),
    "too_many_gaps": _("There are more gaps, or words for them, than a question can have."),
    "translation_missing": _("A text is missing in one of the languages."),
    "typed_as_card": _("The answer was to be typed; here it is on the back of a card."),
    "underline_as_emphasis": _("Underlined words became emphasised ones."),
    "unescaped_in_tag": _("Signs within HTML were taken as words."),
    "unit_unreadable": _("A unit cannot be read."),
    "unsupported_interaction": _("It is answered in a way that no question here is."),
    "weight_unreadable": _("It cannot be read what an answer earns."),
    "weights_made_whole": _("Shares that were rounded roughly were made whole."),
    "x_as_key": _("The option with an x at its end was taken as the right one."),
}


def describe_note(note: Note) -> str:
    """Return what was noticed."""
    detail = dict(note.detail)
    if "language" in detail:
        detail["language"] = language_name(str(detail["language"]))
    if "format" in detail:
        detail["format"] = describe(str(detail["format"]), FORMAT_LABELS)
    return describe(note.code, NOTES, detail)
