import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { getFileInfo } from "../../api/files.ts";
import { getUploadQueue } from "../uploads/browser-upload-queue.ts";
import { buildUpload } from "../uploads/upload.fixture.ts";
import { loadRecordedBytes } from "./use-voice-messages.ts";

vi.mock("../../api/files.ts", async (importOriginal) => ({ ...(await importOriginal<object>()), getFileInfo: vi.fn() }));
afterEach(() => vi.unstubAllGlobals());

test("a recording that only the service has is fetched, and an unknown one is null", async () => {
  const client = new QueryClient();
  const uploads = getUploadQueue(client);
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
