/** Settings of the operator's language model, which tasks of agents ask. */
import { SECOND } from "./lib/clock.ts";
import { defineSetting } from "./setting.ts";

export interface ModelConfig {
  /** The base address of an OpenAI-compatible API, without a trailing slash. */
  url: string;
  /** null: the address needs none. */
  key: string | null;
  name: string;
  /** For one request. */
  timeoutMs: number;
  /** What one request may hand over. */
  inputCharacters: number;
}

/** The parsed settings. */
export interface ModelValues {
  modelUrl: string | null;
  modelKey: string | null;
  modelName: string;
  modelTimeoutMs: number;
  modelInputCharacters: number;
}

function parseNumber(text: string, min: number, max: number): number {
  if (!/^\d{1,7}$/.test(text) || Number(text) < min || Number(text) > max) throw new Error(`must be a whole number from ${min} to ${max}`);
  return Number(text);
}

export const MODEL_SETTINGS = {
  modelUrl: defineSetting({
    name: "TALKBACK_MODEL_URL",
    defaultText: "",
    description:
      "Base address of an OpenAI-compatible API, such as `https://api.example/v1` or `http://127.0.0.1:11434/v1`. With it, agents can summarize chats and answer from documents, whose text is sent there ([more](docs/agent-models.md)). Without it no text is sent to a model.",
    parse(text) {
      if (text === "") return null;
      const url = URL.canParse(text) ? new URL(text) : null;
      if (!url || !/^https?:$/.test(url.protocol)) throw new Error("must be a URL that starts with http:// or https://");
      if (url.username || url.password || url.search || url.hash)
        throw new Error("must have no user, query or fragment; the key belongs in TALKBACK_MODEL_KEY");
      return url.href.replace(/\/+$/, "");
    },
  }),
  modelKey: defineSetting({
    name: "TALKBACK_MODEL_KEY",
    defaultText: "",
    description: "Key for `TALKBACK_MODEL_URL`, sent as a bearer token. Leave it out if the address needs none.",
    parse(text) {
      if (text === "") return null;
      if (!/^[\x21-\x7E]+$/.test(text)) throw new Error("must have no spaces and only ASCII characters");
      return text;
    },
  }),
  modelName: defineSetting({
    name: "TALKBACK_MODEL_NAME",
    defaultText: "",
    description: "Name of the model, as the API calls it. Required with `TALKBACK_MODEL_URL`.",
    parse: (text) => text,
  }),
  modelTimeoutMs: defineSetting({
    name: "TALKBACK_MODEL_TIMEOUT",
    defaultText: "120",
    description: "Seconds within which the model must answer a request.",
    parse: (text) => parseNumber(text, 1, 280) * SECOND,
  }),
  modelInputCharacters: defineSetting({
    name: "TALKBACK_MODEL_INPUT",
    defaultText: "24000",
    description: "Characters of chat or documents that one request may contain; about four are a token. Longer chats are summarized in parts.",
    parse: (text) => parseNumber(text, 2_000, 1_000_000),
  }),
};

/** Returns null where no model is configured. */
export function readModelConfig({ modelUrl, modelKey, modelName, modelTimeoutMs, modelInputCharacters }: ModelValues): ModelConfig | null {
  return modelUrl ? { url: modelUrl, key: modelKey, name: modelName, timeoutMs: modelTimeoutMs, inputCharacters: modelInputCharacters } : null;
}
