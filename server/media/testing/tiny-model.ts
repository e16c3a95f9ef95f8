/** Writes a working tagging model of a few hundred bytes: a handwritten ONNX graph, a tokenizer and their settings. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MELS = 64;
const FLOAT = 1;
const INT64 = 7;
const INTS = 7;
/** IR and operator set versions that every current runtime supports. */
const VERSIONS = { ir: 8, operators: 13 };

// Protocol buffers encoding: a field number and a wire type (0 varint, 2 length and bytes) precede the value.

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let remaining = value;
  for (; remaining > 0x7f; remaining = Math.floor(remaining / 128)) bytes.push((remaining & 0x7f) | 0x80);
  return Buffer.from([...bytes, remaining]);
}
const int = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Buffer | string): Buffer => {
  const content = Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
};
const message = (field: number, ...parts: Buffer[]): Buffer => bytes(field, Buffer.concat(parts));

// onnx.proto3: ModelProto, GraphProto, NodeProto, TensorProto, ValueInfoProto.

const axes = (...values: number[]): Buffer => message(5, bytes(1, "axes"), ...values.map((value) => int(8, value)), int(20, INTS));
const DROP_AXES = message(5, bytes(1, "keepdims"), int(3, 0), int(20, 2));
const node = (operator: string, inputs: string[], output: string, ...attributes: Buffer[]): Buffer =>
  message(1, ...inputs.map((name) => bytes(1, name)), bytes(2, output), bytes(3, output), bytes(4, operator), ...attributes);
const tensor = (name: string, shape: number[], values: number[]): Buffer =>
  message(5, ...shape.map((size) => int(1, size)), int(2, FLOAT), bytes(8, name), bytes(9, Buffer.from(Float32Array.from(values).buffer)));
const value = (field: number, name: string, type: number, shape: (string | number)[]): Buffer => {
  const sizes = shape.map((size) => message(1, typeof size === "number" ? int(1, size) : bytes(2, size)));
  return message(field, bytes(1, name), message(2, message(1, int(1, type), message(2, ...sizes))));
};

/** Computes a label's logit: brightness of the audio (upper mel bands over lower ones, in dB) times brightness of the label's words. */
function graph(brightness: number[]): Buffer {
  const tilt = Array.from({ length: MELS }, (_, band) => (band < MELS / 2 ? -1 : 1) / MELS);
  return Buffer.concat([
    node("MatMul", ["input_features", "tilt"], "tilted"),
    node("ReduceMean", ["tilted"], "sound", axes(1, 2), DROP_AXES),
    node("Gather", ["words", "input_ids"], "of_words"),
    node("ReduceMean", ["of_words"], "label", axes(1), DROP_AXES),
    node("Mul", ["sound", "label"], "logits_per_audio"),
    bytes(2, "tiny"),
    tensor("tilt", [MELS, 1], tilt),
    tensor("words", [brightness.length], brightness),
    value(11, "input_ids", INT64, ["labels", "tokens"]),
    value(11, "input_features", FLOAT, [1, 1, "frames", MELS]),
    value(12, "logits_per_audio", FLOAT, [1, "labels"]),
  ]);
}

/**
 * Writes the model into `folder`, where an operator would install it. `wordBrightness` maps known words to their
 * brightness. All other words count as 0.
 */
export function writeTinyModel(folder: string, wordBrightness: Record<string, number>): void {
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  const vocabulary = [...special, ...Object.keys(wordBrightness)];
  const brightness = [...special.map(() => 0), ...Object.values(wordBrightness)];
  const json = (name: string, content: object): void => writeFileSync(join(folder, name), JSON.stringify(content));
  mkdirSync(join(folder, "onnx"), { recursive: true });
  const model = [int(1, VERSIONS.ir), bytes(2, "talkback"), message(7, graph(brightness)), message(8, bytes(1, ""), int(2, VERSIONS.operators))];
  writeFileSync(join(folder, "onnx", "model.onnx"), Buffer.concat(model));
  json("config.json", { model_type: "clap", architectures: ["ClapModel"] });
  json("preprocessor_config.json", {
    feature_extractor_type: "ClapFeatureExtractor",
    processor_class: "ClapProcessor",
    feature_size: MELS,
    sampling_rate: 48_000,
    fft_window_size: 1_024,
    hop_length: 480,
    nb_frequency_bins: 513,
    frequency_min: 50,
    frequency_max: 14_000,
    nb_max_samples: 480_000,
    max_length_s: 10,
    padding: "repeatpad",
    padding_value: 0,
    truncation: "rand_trunc",
    return_attention_mask: false,
  });
  json("tokenizer_config.json", { tokenizer_class: "BertTokenizer", pad_token: "[PAD]", unk_token: "[UNK]", model_max_length: 64, do_lower_case: true });
  json("tokenizer.json", {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: special.map((content, id) => ({ id, content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false })),
    normalizer: { type: "Lowercase" },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: null,
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  });
}
