"""The components of TextAttack 0.3.11: names, options and resources, available without importing TextAttack.

A test compares this table with the installed TextAttack.
"""

from __future__ import annotations

from math import inf

from robustfim_textattack.component import Component

__all__ = ["CONSTRAINTS", "LEFT_OUT", "RECIPES", "TRANSFORMATIONS"]

_ENDS = {"random_one": True, "skip_first_char": False, "skip_last_char": False}
_MASKED = {
    "masked_language_model": "bert-base-uncased",
    "max_length": 512,
    "window_size": inf,
    "max_candidates": 50,
    "min_confidence": 5e-4,
    "batch_size": 16,
}
_MASK_NEEDS = ("hub:{masked_language_model}",)
_ENCODED = {"threshold": 0.8, "metric": "cosine", "window_size": None, "skip_text_shorter_than_window": False}
_WORDNET = ("nltk:corpora/wordnet",)
_TAGGED = ("nltk:taggers/averaged_perceptron_tagger_eng", "nltk:taggers/universal_tagset")
_SENTENCES = ("nltk:tokenizers/punkt_tab",)
_VECTORS = ("data:counter-fitted",)
_HOMOGLYPHS = ("data:homoglyphs",)
_TENSORFLOW = ("package:tensorflow", "package:tensorflow_hub")
_USE = (*_TENSORFLOW, "tfhub:universal-sentence-encoder/3")
_HOWNET = ("data:hownet", "flair:flair/upos-english-fast")

TRANSFORMATIONS = {
    "BackTranscription": Component(
        "Speaks and transcribes the text",
        {"tts_model": "facebook/fastspeech2-en-ljspeech", "asr_model": "openai/whisper-base"},
        ("package:fairseq", "package:librosa", "hub:{tts_model}", "hub:{asr_model}"),
    ),
    "BackTranslation": Component(
        "Translates into another language and back",
        {
            "src_lang": "en",
            "target_lang": "es",
            "src_model": "Helsinki-NLP/opus-mt-ROMANCE-en",
            "target_model": "Helsinki-NLP/opus-mt-en-ROMANCE",
            "chained_back_translation": 0,
        },
        ("hub:{src_model}", "hub:{target_model}"),
    ),
    "ChineseMorphonymCharacterSwap": Component("Swaps Chinese characters for others that look alike"),
    "ChineseWordSwapHowNet": Component(
        "Swaps Chinese words for those that share a sense in HowNet", {"topk": 5}, ("data:openhownet",)
    ),
    "ChineseWordSwapMaskedLM": Component(
        "Swaps Chinese words by a masked language model",
        {"task": "fill-mask", "model": "xlm-roberta-base"},
        ("hub:{model}",),
    ),
    "WordDeletion": Component("Deletes a word"),
    "WordInnerSwapRandom": Component("Lets two words change places"),
    "WordInsertionMaskedLM": Component(
        "Inserts a word before another by a masked language model", _MASKED, _MASK_NEEDS
    ),
    "WordInsertionRandomSynonym": Component("Inserts a synonym of a word at random", {}, _WORDNET),
    "WordMergeMaskedLM": Component(
        "Merges two words into one by a masked language model",
        _MASKED,
        (*_MASK_NEEDS, "flair:flair/upos-english-fast"),
    ),
    "WordSwapChangeLocation": Component(
        "Swaps places",
        {"n": 3, "confidence_score": 0.7, "language": "en", "consistent": False},
        ("ner:{language}",),
    ),
    "WordSwapChangeName": Component(
        "Swaps names of persons",
        {
            "num_name_replacements": 3,
            "first_only": False,
            "last_only": False,
            "confidence_score": 0.7,
            "language": "en",
            "consistent": False,
        },
        ("ner:{language}",),
    ),
    "WordSwapChangeNumber": Component("Changes numbers", {"max_change": 1.0, "n": 3}),
    "WordSwapContract": Component("Contracts (is not → isn't)"),
    "WordSwapDeletions": Component("Inserts a letter and a backspace", {"random_one": False}),
    "WordSwapEmbedding": Component("Swaps words for near ones in word vectors", {"max_candidates": 15}, _VECTORS),
    "WordSwapExtend": Component("Expands contractions (isn't → is not)"),
    "WordSwapHomoglyphSwap": Component("Swaps letters for others that look alike", {"random_one": False}, _HOMOGLYPHS),
    "WordSwapHowNet": Component("Swaps words for those that share a sense in HowNet", {"max_candidates": -1}, _HOWNET),
    "WordSwapInflections": Component("Inflects words otherwise", {}, ("flair:flair/upos-english-fast",)),
    "WordSwapInvisibleCharacters": Component("Inserts invisible characters", {"random_one": False}),
    "WordSwapMaskedLM": Component("Swaps words by a masked language model", {"method": "bae", **_MASKED}, _MASK_NEEDS),
    "WordSwapNeighboringCharacterSwap": Component("Swaps two letters that stand side by side", _ENDS),
    "WordSwapQWERTY": Component("Swaps a letter for its neighbour on the keyboard", _ENDS),
    "WordSwapRandomCharacterDeletion": Component("Deletes a letter", _ENDS),
    "WordSwapRandomCharacterInsertion": Component("Inserts a letter", {**_ENDS, "letters_to_insert": None}),
    "WordSwapRandomCharacterSubstitution": Component(
        "Replaces a letter", {"random_one": True, "letters_to_insert": None}
    ),
    "WordSwapReorderings": Component("Reorders letters behind marks of direction", {"random_one": False}),
    "WordSwapWordNet": Component("Swaps words for synonyms of WordNet", {"language": "eng"}, _WORDNET),
}
"""TextAttack's transformations, by name."""

CONSTRAINTS = {
    "BERTScore": Component(
        "Requires a BERTScore",
        {"min_bert_score": float, "model_name": "bert-base-uncased", "num_layers": None, "score_type": "f1"},
        ("hub:{model_name}",),
    ),
    "BLEU": Component("Limits BLEU", {"max_bleu_score": int}),
    "COLA": Component(
        "Limits how many sentences less a classifier finds acceptable",
        {"max_diff": float, "model_name": "textattack/bert-base-uncased-CoLA"},
        ("hub:{model_name}", *_SENTENCES),
    ),
    "GPT2": Component(
        "Limits the loss of likelihood of the changed words under GPT-2",
        {"max_log_prob_diff": float, "model_name": "gpt2"},
        ("hub:{model_name}",),
    ),
    "InferSent": Component("Requires similarity under InferSent", _ENCODED, ("data:infersent", *_SENTENCES)),
    "InputColumnModification": Component(
        "Keeps whole fields as they are",
        {"matching_column_labels": list[str], "columns_to_ignore": list[str]},
        per_edit=True,
    ),
    "LanguageTool": Component(
        "Limits new errors of grammar",
        {"grammar_error_threshold": 0, "language": "en-US"},
        ("data:languagetool",),
    ),
    "LearningToWriteLanguageModel": Component(
        "Limits the loss of likelihood under Learning to Write",
        {"max_log_prob_diff": float, "window_size": 5},
        ("package:torchfile", "data:learning-to-write"),
    ),
    "LevenshteinEditDistance": Component("Limits the edit distance in characters", {"max_edit_distance": int}),
    "MaxModificationRate": Component("Limits the share of modified words", {"max_rate": float, "min_threshold": 1}),
    "MaxNumWordsModified": Component("Limits the number of modified words", {"max_num_words": int}),
    "MaxWordIndexModification": Component(
        "Keeps all but the first words as they are", {"max_length": int}, per_edit=True
    ),
    "MaxWordsPerturbed": Component("Limits the words that differ", {"max_num_words": None, "max_percent": None}),
    "MinWordLength": Component("Keeps short words as they are", {"min_length": int}, per_edit=True),
    "MultilingualUniversalSentenceEncoder": Component(
        "Requires similarity under the multilingual sentence encoder",
        {**_ENCODED, "metric": "angular", "large": False},
        (*_TENSORFLOW, "package:tensorflow_text", "sentences:multilingual-large={large}"),
    ),
    "PartOfSpeech": Component(
        "Requires the same part of speech",
        {"tagset": "universal", "allow_verb_noun_swap": True, "language_nltk": "eng"},
        _TAGGED,
        per_edit=True,
    ),
    "RepeatModification": Component("Changes no word twice, as no candidate of robustfim does"),
    "SBERT": Component(
        "Requires similarity under a sentence transformer",
        {**_ENCODED, "threshold": 0.7, "model_name": "sentence-transformers/bert-base-nli-stsb-mean-tokens"},
        ("package:sentence_transformers", "hub:{model_name}"),
    ),
    "StopwordModification": Component(
        "Keeps stop words as they are", {"stopwords": None, "language": "english"}, per_edit=True
    ),
    "ThoughtVector": Component("Requires similarity of mean word vectors", _ENCODED, _VECTORS),
    "UniversalSentenceEncoder": Component(
        "Requires similarity under the Universal Sentence Encoder",
        {**_ENCODED, "metric": "angular", "large": False},
        (*_TENSORFLOW, "sentences:large={large}"),
    ),
    "UnmodifablePhrases": Component("Keeps phrases as they are", {"phrases": list[str]}, per_edit=True),
    "UnmodifiableIndices": Component("Keeps words as they are, by number", {"indices": list[int]}, per_edit=True),
    "WordEmbeddingDistance": Component(
        "Requires nearness of the changed words in word vectors",
        {"include_unknown_words": True, "min_cos_sim": None, "max_mse_dist": None, "cased": False},
        _VECTORS,
        per_edit=True,
    ),
    "chrF": Component("Limits chrF", {"max_chrf": int}),
}
"""TextAttack's constraints, by name."""

RECIPES = {
    "A2TYoo2021": Component(
        "A2T: synonyms in the order of the gradient (Yoo and Qi 2021)",
        {"mlm": False},
        (*_VECTORS, *_TAGGED, "package:sentence_transformers", "hub:sentence-transformers/stsb-distilbert-base"),
    ),
    "BAEGarg2019": Component(
        "BAE: words of BERT (Garg and Ramakrishnan 2020)", {}, ("hub:bert-base-uncased", *_TAGGED, *_USE)
    ),
    "BERTAttackLi2020": Component("BERT-Attack: words of BERT (Li et al. 2020)", {}, ("hub:bert-base-uncased", *_USE)),
    "BadCharacters2021": Component(
        "Bad Characters: imperceptible ones, by differential evolution (Boucher et al. 2021)",
        {"perturbation_type": "invisible", "perturbs": 1, "popsize": 32, "maxiter": 10},
        ("characters:{perturbation_type}",),
        given={"goal_function_type": "targeted_classification", "allow_skip": False},
    ),
    "CLARE2020": Component(
        "CLARE: replaces, inserts and merges by a masked language model (Li et al. 2020)",
        {},
        ("hub:distilroberta-base", *_USE),
    ),
    "CheckList2020": Component(
        "CheckList's invariances: names, places, numbers, contractions (Ribeiro et al. 2020)", {}, ("ner:en",)
    ),
    "DeepWordBugGao2018": Component(
        "DeepWordBug: misspells the words that matter (Gao et al. 2018)", {"use_all_transformations": True}
    ),
    "FasterGeneticAlgorithmJia2019": Component(
        "Synonyms by a fast genetic algorithm (Jia et al. 2019)",
        {},
        (*_VECTORS, "package:torchfile", "data:learning-to-write"),
    ),
    "FrenchRecipe": Component("French synonyms, names and places", {}, (*_WORDNET, "nltk:corpora/omw-1.4", "ner:fra")),
    "GeneticAlgorithmAlzantot2018": Component(
        "Synonyms by a genetic algorithm (Alzantot et al. 2018)",
        {},
        (*_VECTORS, "package:tensorflow", "data:google-lm"),
    ),
    "IGAWang2019": Component("Synonyms by an improved genetic algorithm (Wang et al. 2019)", {}, _VECTORS),
    "InputReductionFeng2018": Component("Input reduction: deletes words while the prediction stays (Feng et al. 2018)"),
    "Kuleshov2017": Component(
        "Synonyms, greedily, until the confidence is below 0.7 (Kuleshov et al. 2018)", {}, (*_VECTORS, "hub:gpt2")
    ),
    "LEAP2023": Component("LEAP: synonyms by a particle swarm (Xiao et al. 2023)", {}, _WORDNET),
    "PSOZang2020": Component("Synonyms of HowNet by a particle swarm (Zang et al. 2020)", {}, _HOWNET),
    "PWWSRen2019": Component("PWWS: synonyms of WordNet by saliency (Ren et al. 2019)", {}, _WORDNET),
    "Pruthi2019": Component("Misspells a word, greedily (Pruthi et al. 2019)", {"max_num_word_swaps": 1}),
    "SpanishRecipe": Component(
        "Spanish synonyms, names and places", {}, (*_WORDNET, "nltk:corpora/omw-1.4", "ner:esp")
    ),
    "TextBuggerLi2018": Component(
        "TextBugger: misspells and swaps words (Li et al. 2018)", {}, (*_VECTORS, *_HOMOGLYPHS, *_USE)
    ),
    "TextFoolerJin2019": Component(
        "TextFooler: synonyms of word vectors (Jin et al. 2019)", {}, (*_VECTORS, *_TAGGED, *_USE)
    ),
}
"""TextAttack's attack recipes, by name."""

LEFT_OUT = {
    "ChineseHomophoneCharacterSwap": "its table cannot be read by today's pandas",
    "ChineseRecipe": "it uses ChineseHomophoneCharacterSwap",
    "CompositeTransformation": "a suite has a check for each",
    "GoogleLanguageModel": "it ranks the candidates of a search against one another",
    "HotFlipEbrahimi2017": "it uses WordSwapGradientBased",
    "LanguageModelConstraint": "abstract",
    "METEOR": "it fails on every text",
    "MorpheusTan2020": "it attacks translators",
    "SentenceEncoder": "abstract",
    "SentenceTransformation": "abstract",
    "Seq2SickCheng2018BlackBox": "it attacks translators",
    "WordInsertion": "abstract",
    "WordMerge": "abstract",
    "WordSwap": "abstract",
    "WordSwapDifferentialEvolution": "abstract",
    "WordSwapGradientBased": "it accepts TextAttack's own LSTM only; 'order: guided' is for every model with gradients",
}
"""What this plugin does not offer, and why."""
