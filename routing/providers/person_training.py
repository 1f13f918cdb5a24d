"""Learning the reader of signs: one multinomial logistic regression over the examples."""

from collections.abc import Sequence

import numpy as np

from routing.providers.local_encoder import Encoder
from routing.providers.local_model import Linear
from routing.providers.local_ngrams import learn_vocabulary
from routing.providers.local_text import spelt_out
from routing.providers.person_examples import Labelled
from routing.providers.person_model import PersonModel

# Inverse strength of regularisation and weight of the terms beside the vector, chosen by cross-validation.
_C, _TERMS = 10.0, 0.85


def train(examples: Sequence[Labelled], encoder: Encoder) -> PersonModel:
    """Learn a model; the same examples give the same model."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.linear_model import LogisticRegression

    signs = tuple(sorted({example.sign for example in examples if example.sign is not None}))
    outcomes = [0 if example.sign is None else 1 + signs.index(example.sign) for example in examples]
    texts = [spelt_out(example.text) for example in examples]
    vocabulary = learn_vocabulary(texts)
    rows = [vocabulary.row(text) for text in texts]
    starts = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    columns, values = (np.concatenate(part) for part in zip(*rows, strict=True))
    terms = csr_matrix((_TERMS * values, columns, starts), shape=(len(rows), len(vocabulary.index)))
    vectors = encoder.embed(texts)
    fitted = LogisticRegression(C=_C, max_iter=300, tol=1e-3).fit(
        hstack([csr_matrix(vectors), terms]).tocsr(), outcomes
    )
    weights, bias = _outcomes(fitted.coef_, fitted.intercept_)
    width = vectors.shape[1]
    return PersonModel(
        signs=signs,
        vocabulary=vocabulary,
        layer=Linear(vector=weights[:width], terms=_TERMS * weights[width:], bias=bias),
    )


def _outcomes(coefficients: np.ndarray, intercept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return one column an outcome; with a single sign the library keeps only the second one's."""
    if len(coefficients) == 1:
        coefficients = np.vstack([-coefficients, coefficients]) / 2
        intercept = np.append(-intercept, intercept) / 2
    return coefficients.T.astype(np.float32), np.asarray(intercept, dtype=np.float32)
