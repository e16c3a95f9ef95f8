import { expect, test } from "vitest";
import { toForwardedUrls } from "./forwarded-urls.ts";

const UPSTREAM = "https://service.example/base";
const convert = (json: unknown) => toForwardedUrls(json, UPSTREAM, (path) => `http://here.test${path}`);

test("URLs of the service in any member for them lead through the page's origin", () => {
  const url = `${UPSTREAM}/api/v2/files/1/versions/2/original?x=1`;
  const own = "http://here.test/api/v2/files/1/versions/2/original?x=1";
  const record = (value: string) => ({
    data: [{ url: value, compressed_file_url: value, thumbnail: value, urls: { still: value }, levels: [{ url: value }] }],
  });
  expect(convert(record(url))).toEqual(record(own));
  expect(convert({ url: `${UPSTREAM}/v1/files/1` })).toEqual({ url: "http://here.test/v1/files/1" });
});

test("other URLs, paths that are not forwarded, and texts of people stay as they are", () => {
  const json = {
    url: "https://elsewhere.example/api/v2/files/1",
    avatar_url: null,
    stills_url: `${UPSTREAM}/media/1.jpg`,
    thumbnail_url: "https://service.example/baseless/api/v2/x",
    body: `${UPSTREAM}/api/v2/files/1`,
    name: `${UPSTREAM}/api/v2/files/1`,
    numbers: [1, true, null],
    endpoint: { id: 1, url: `${UPSTREAM}/api/v2/receiver`, event_types: [] },
    urls: { nested: { body: `${UPSTREAM}/api/v2/files/1` } },
  };
  expect(convert(json)).toEqual(json);
});
