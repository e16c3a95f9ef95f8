import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import { getFileInfo } from "../../api/files.ts";
import { buildUpload } from "../uploads/upload.fixture.ts";
import { loadRecordedBytes } from "./use-voice-messages.ts";

vi.mock("../../api/files.ts", async (importOriginal) => ({ ...(await importOriginal<object>()), getFileInfo: vi.fn() }));
afterEach(() => vi.unstubAllGlobals());

test("a recording that only the service has is fetched, and an unknown one is null", async () => {
  const client = createClient();
  const uploads = client.uploads;
  const upload = buildUpload({ id: "u", state: "done", fileId: 7, type: "audio/webm" });
  vi.spyOn(uploads, "load").mockImplementation(async (id) => (id === "u" ? { upload, file: null } : null));
  vi.spyOn(uploads, "recover").mockImplementation(async ([id]) => (id === "elsewhere" ? [] : [id!]));
  vi.stubGlobal("location", { origin: "https://talkback.test" });
  vi.mocked(getFileInfo).mockResolvedValue({ common: { url: "/media/7" } } as Awaited<ReturnType<typeof getFileInfo>>);
  vi.stubGlobal(
    "fetch",
    vi.fn<typeof fetch>(async () => new Response("sound")),
  );
  const bytes = await loadRecordedBytes(client, "u");
  expect([bytes?.type, await bytes?.text()]).toEqual(["audio/webm", "sound"]);
  expect(await loadRecordedBytes(client, "lost")).toBeNull();
  await expect(loadRecordedBytes(client, "elsewhere")).rejects.toThrow("Another tab");
});
