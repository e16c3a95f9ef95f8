import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { timeoutFactor } from "../../../playwright.config.ts";
import { loadMessages, setUpOwner, createProject } from "../../fixtures/api.ts";
import {
  uploadCard,
  attachFiles,
  randomFile,
  setChooserFiles,
  createUploadThrottle,
  listChatFileNames,
  uploadTray,
  waitForProgress,
  waitUntilBytesAreStored,
  checksum,
  storedAttachments,
} from "../../fixtures/attach-files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError, NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { expectSent, message, send, textsInOrder, timeline } from "../../fixtures/pages.ts";
import { startTcpProxy } from "../../fixtures/tcp-proxy.ts";

test("on a slow connection a message waits for its files; after a reload uploads resume with cached bytes or with a file chosen again", async ({
  pair: { ana, project },
  open,
  network,
}) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  const setUploadRate = await createUploadThrottle(page);

  await test.step("a message waits for its files without blocking others, and is sent automatically, once", async () => {
    const largeFile = randomFile("slow.bin", 4_000_000);
    await setUploadRate(500_000);
    await attachFiles(page, largeFile);
    await send(page, "with the bounce");
    const row = message(page, "with the bounce");
    await expect(row).toContainText("Waiting for 1 upload…");
    await waitForProgress(row, largeFile.name);
    await page.getByRole("button", { name: `Pause ${largeFile.name}` }).click();
    await expect(row).toContainText("Paused at");
    await send(page, "meanwhile");
    await expect.poll(async () => (await loadMessages(ana, project.id)).map(({ body }) => body)).toEqual(["meanwhile"]);
    await page.getByRole("button", { name: `Resume ${largeFile.name}` }).click();
    await setUploadRate(null);
    await expect
      .poll(() => storedAttachments(ana, project.id))
      .toEqual([{ body: "with the bounce", name: largeFile.name, checksum: checksum(largeFile.buffer) }]);
    await expect(timeline(page).getByText("Waiting for")).toHaveCount(0);
    await expect.poll(() => textsInOrder(page, /with the bounce|meanwhile/)).toEqual(["meanwhile", "with the bounce"]);
  });

  await test.step("an upload resumes after a reload with the bytes that the browser has cached", async () => {
    const largeFile = randomFile("reloaded.bin", 4_000_000);
    await setUploadRate(500_000);
    await attachFiles(page, largeFile);
    await waitForProgress(uploadTray(page), largeFile.name);
    await waitUntilBytesAreStored(page);
    const uploadRequests = network.recordRequests(page, /\/api\/v2\/uploads/);
    await page.reload();
    await expect(uploadCard(page, largeFile.name)).toBeVisible();
    await setUploadRate(null);
    await expect(uploadCard(page, largeFile.name)).toContainText("Uploaded");
    // The upload was not created again.
    expect(uploadRequests.some((request) => request.startsWith("HEAD"))).toBe(true);
    expect(uploadRequests.filter((request) => request.startsWith("POST"))).toEqual([]);
    await send(page, "after the reload");
    await expect
      .poll(async () => (await storedAttachments(ana, project.id)).slice(1))
      .toEqual([{ body: "after the reload", name: largeFile.name, checksum: checksum(largeFile.buffer) }]);
    await expect(uploadTray(page)).toHaveCount(0);
  });

  await test.step("an upload without cached bytes asks for its file again and resumes at its offset", async () => {
    const largeFile = randomFile("forgotten.bin", 4_000_000);
    await setUploadRate(500_000);
    await attachFiles(page, largeFile);
    await waitForProgress(uploadTray(page), largeFile.name);
    await waitUntilBytesAreStored(page);
    // Simulates a browser that evicts stored bytes for lack of space.
    await page.evaluate(async () => {
      const openRequest = indexedDB.open("talkback.uploads");
      await new Promise((resolve) => (openRequest.onsuccess = resolve));
      const clearRequest = openRequest.result.transaction("bytes", "readwrite").objectStore("bytes").clear();
      await new Promise((resolve) => (clearRequest.onsuccess = resolve));
    });
    await page.reload();
    await setUploadRate(null);
    await expect(uploadCard(page, largeFile.name)).toContainText("This browser no longer has the file. Choose it again to resume.");
    const uploadRequests = network.recordRequests(page, /\/api\/v2\/uploads/);
    const chooseAgain = async (selected: typeof largeFile) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: `Choose ${largeFile.name} again` }).click();
      await setChooserFiles(await chooser, [selected]);
    };
    await chooseAgain(randomFile(largeFile.name, 100));
    await expect(uploadCard(page, largeFile.name)).toContainText(`That's a different file. Choose ${largeFile.name} with the same size.`);
    await chooseAgain(largeFile);
    await expect(uploadCard(page, largeFile.name)).toContainText("Uploaded");
    expect(uploadRequests.filter((request) => request.startsWith("POST"))).toEqual([]);
    await send(page, "found it");
    await expect(message(page, "found it")).toContainText(largeFile.name);
    expect(await listChatFileNames(ana, project)).toEqual([largeFile.name, "reloaded.bin", "slow.bin"]);
  });
});

test("an upload survives a closed tab, a missing session, its deletion at the service and a change of its file", async ({
  pair: { ana, project },
  open,
  network,
  pageErrors,
}, info) => {
  pageErrors.allow(statusError(401));
  pageErrors.allow(statusError(404));
  const first = await open(ana, `/projects/${project.id}/chat`);
  // More than one request, since a browser may finish the current one after its tab is closed.
  const file = randomFile("closed.bin", 20_000_000);
  await (
    await createUploadThrottle(first)
  )(500_000);
  await attachFiles(first, file);
  await waitForProgress(uploadTray(first), file.name);
  await waitUntilBytesAreStored(first);
  const page = await first.context().newPage();
  await first.close();
  const setUploadRate = await createUploadThrottle(page);
  const offsets: string[] = [];
  page.on("request", (request) => void offsets.push(request.headers()["upload-offset"] ?? ""));
  const uploadRequests = network.recordRequests(page, /\/api\/v2\/uploads/);
  const methodsSince = (count: number) => uploadRequests.slice(count).map((request) => request.split(" ")[0]);

  await test.step("another tab continues at the service's offset", async () => {
    await page.goto(`${ana.url}/projects/${project.id}/chat`);
    await expect(uploadCard(page, file.name)).toContainText("Uploaded");
    expect([methodsSince(0)[0], methodsSince(0).includes("POST")]).toEqual(["HEAD", false]);
    expect(Number(offsets.find((offset) => offset !== ""))).toBeGreaterThan(0);
  });

  await test.step("without a session it waits, and it is not created again", async () => {
    await setUploadRate(500_000);
    await attachFiles(page, randomFile("signed out.bin", 4_000_000));
    await waitForProgress(uploadTray(page), "signed out.bin");
    await page.getByRole("button", { name: "Pause signed out.bin" }).click();
    const count = uploadRequests.length;
    const interception = await network.replyWithProblem(page, "**/api/v2/uploads/*", 401, "Sign in to upload.");
    await page.getByRole("button", { name: "Resume signed out.bin" }).click();
    await expect(uploadCard(page, "signed out.bin")).toContainText("Waiting for the connection");
    await interception.end();
    await setUploadRate(null);
    await expect(uploadCard(page, "signed out.bin")).toContainText("Uploaded");
    expect(methodsSince(count)).not.toContain("POST");
  });

  await test.step("deleted at the service, it starts over", async () => {
    await setUploadRate(500_000);
    const uploadUrl = page.waitForRequest((request) => request.method() === "PATCH").then((request) => request.url());
    await attachFiles(page, randomFile("expired.bin", 4_000_000));
    await waitForProgress(uploadTray(page), "expired.bin");
    await page.getByRole("button", { name: "Pause expired.bin" }).click();
    const remove = (url: string) => fetch(url, { method: "DELETE", headers: { "tus-resumable": "1.0.0" } }).then(({ status }) => status);
    expect(await page.evaluate(remove, await uploadUrl)).toBe(204);
    const count = uploadRequests.length;
    await page.getByRole("button", { name: "Resume expired.bin" }).click();
    await setUploadRate(null);
    await expect(uploadCard(page, "expired.bin")).toContainText("Uploaded");
    expect(methodsSince(count)).toEqual(["HEAD", "POST", "PATCH"]);
  });

  await test.step("with a changed file it asks for the file, and continues with the former one", async () => {
    const changed = randomFile("changed.bin", 4_000_000);
    const path = info.outputPath("disk", changed.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, changed.buffer);
    await setUploadRate(500_000);
    await attachFiles(page, path);
    await waitForProgress(uploadTray(page), changed.name);
    await page.getByRole("button", { name: `Pause ${changed.name}` }).click();
    appendFileSync(path, "more");
    const count = uploadRequests.length;
    await page.getByRole("button", { name: `Resume ${changed.name}` }).click();
    await expect(uploadCard(page, changed.name)).toContainText("Choose it again to resume.");
    writeFileSync(path, changed.buffer);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: `Choose ${changed.name} again` }).click();
    await setChooserFiles(await chooser, [path]);
    await setUploadRate(null);
    await expect(uploadCard(page, changed.name)).toContainText("Uploaded");
    expect(methodsSince(count)).not.toContain("POST");
  });

  await send(page, "all four");
  await expect(message(page, "all four")).toContainText("changed.bin");
  expect(await listChatFileNames(ana, project)).toEqual(["changed.bin", "closed.bin", "expired.bin", "signed out.bin"]);
  // The message may still be on its way.
  await expect.poll(async () => (await storedAttachments(ana, project.id)).find(({ name }) => name === file.name)?.checksum).toBe(checksum(file.buffer));
});

test("an upload that starts without a connection waits for it, and one whose connection is cut resumes at its offset", async ({
  startServiceWith,
  open,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  const proxy = await startTcpProxy();
  try {
    const service = await startServiceWith((port) => {
      proxy.forwardTo(port);
      return { PUBLIC_URL: `http://127.0.0.1:${proxy.port}` };
    });
    const viaProxy = (url: string) => url.replace(service.url, `http://127.0.0.1:${proxy.port}`);
    const ana = await setUpOwner(viaProxy(service.url), viaProxy(service.setupLink()));
    const project = await createProject(ana, "Nightdrive");
    const page = await open(ana, `/projects/${project.id}/chat`);
    // The code that transfers files arrives with the view.
    await page.waitForLoadState("networkidle");
    const [firstFile, largeFile] = [randomFile("first.bin", 1_000), randomFile("cut.bin", 4_000_000)];
    proxy.disconnect();
    await attachFiles(page, firstFile);
    await expect(uploadCard(page, firstFile.name)).toContainText("Waiting for the connection");
    proxy.reconnect();
    await expect(uploadCard(page, firstFile.name)).toContainText("Uploaded");
    const setUploadRate = await createUploadThrottle(page);
    await setUploadRate(700_000);
    await attachFiles(page, largeFile);
    await waitForProgress(uploadTray(page), largeFile.name);
    proxy.disconnect();
    await expect(uploadCard(page, largeFile.name)).toContainText("Waiting for the connection");
    proxy.reconnect();
    await setUploadRate(null);
    await expect(uploadCard(page, largeFile.name)).toContainText("Uploaded");
    await send(page, "after the cut");
    await expectSent(page, "after the cut");
    await expect
      .poll(() => storedAttachments(ana, project.id))
      .toEqual([firstFile, largeFile].map(({ name, buffer }) => ({ body: "after the cut", name, checksum: checksum(buffer) })));
  } finally {
    proxy.close();
  }
});

test("an upload resumes after the service is killed, and the pending message arrives once", async ({ ownService, open, pageErrors }) => {
  pageErrors.allow(NETWORK_LOSS);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const page = await open(owner, `/projects/${project.id}/chat`);
  const largeFile = randomFile("killed.bin", 4_000_000);
  const setUploadRate = await createUploadThrottle(page);
  await setUploadRate(700_000);
  await attachFiles(page, largeFile);
  await send(page, "through the storm");
  const row = message(page, "through the storm");
  await waitForProgress(row, largeFile.name);
  await ownService.kill();
  await expect(row).toContainText("Waiting for the connection");
  await setUploadRate(null);
  await ownService.start();
  await expect
    .poll(() => storedAttachments(owner, project.id), { timeout: 40_000 * timeoutFactor })
    .toEqual([{ body: "through the storm", name: largeFile.name, checksum: checksum(largeFile.buffer) }]);
  await expect(row).toHaveCount(1);
});
