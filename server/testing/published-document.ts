/** Compares responses with the published OpenAPI document: status, content type and, for JSON, the body's schema. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { createOpenApiDocument } from "../http/docs/openapi.ts";

interface DescribedResponse {
  content?: Record<string, { schema?: object }>;
}
interface DescribedOperation {
  responses: Record<string, DescribedResponse | { $ref: string }>;
}
interface Document {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { responses: Record<string, DescribedResponse> };
}
export interface SeenResponse {
  method: string;
  url: string;
  status: number;
  contentType: string | undefined;
  text: string;
}
/** Returns what is wrong with a response, or null. Paths that the document does not describe are not checked. */
export type ResponseCheck = (response: SeenResponse) => string | null;

const DOCUMENT_ID = "https://talkback.test/openapi.json";
const escapePointer = (part: string): string =>
  part.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25").replaceAll("{", "%7B").replaceAll("}", "%7D");
const mediaTypeOf = (contentType: string): string => contentType.split(";")[0]?.trim() ?? "";

function createResponseCheck(): ResponseCheck {
  const document = createOpenApiDocument("https://talkback.test", "0.0.0") as unknown as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, DOCUMENT_ID);
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT_ID}#${pointer}` });
    validators.set(pointer, validator);
    return validator;
  };
  const paths = Object.keys(document.paths)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`), parameters: path.split("{").length }))
    .sort((a, b) => a.parameters - b.parameters);

  return ({ method, url, status, contentType, text }) => {
    const path = paths.find(({ pattern }) => pattern.test(url.split("?")[0] ?? ""))?.path;
    const operation = path === undefined ? undefined : document.paths[path]?.[method.toLowerCase()];
    if (path === undefined || !operation) return null;
    const name = `${method} ${path} ${status}`;
    const key = String(status) in operation.responses ? String(status) : `${String(status)[0]}XX`;
    const described = operation.responses[key];
    if (!described) return `${name}: the status is not in the document: ${text.slice(0, 300)}`;
    const pointer = "$ref" in described ? described.$ref.slice(1) : `/paths/${escapePointer(path)}/${method.toLowerCase()}/responses/${key}`;
    const { content = {} } = "$ref" in described ? (document.components.responses[described.$ref.split("/").at(-1) ?? ""] ?? {}) : described;
    // A HEAD response has the headers of a body, but none.
    if (method === "HEAD") return null;
    if (text === "" && contentType === undefined)
      return Object.keys(content).length === 0 ? null : `${name}: there is no body, but the document has ${Object.keys(content).join()}`;
    const type = mediaTypeOf(contentType ?? "");
    const range = type.replace(/\/.*/, "/*");
    const describedType = type in content ? type : range in content ? range : undefined;
    if (describedType === undefined) return `${name}: the content type ${type} is not in the document`;
    if (!content[describedType]?.schema) return null;
    const validate = validatorAt(`${pointer}/content/${escapePointer(describedType)}/schema`);
    return validate(JSON.parse(text)) ? null : `${name}: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 300)}`;
  };
}

let check: ResponseCheck | undefined;
/** One check for all test apps of the process, because it takes long to create. */
export const checkAgainstDocument: ResponseCheck = (response) => (check ??= createResponseCheck())(response);
