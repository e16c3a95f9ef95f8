import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProject, setUpOwner, write } from "../../fixtures/api.ts";
import { bar, card, choose, dropPaths, file, lineOf, namesIn, tray } from "../../fixtures/choosing.ts";
import { answered } from "../../fixtures/guard.ts";
import { message, send } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a full organisation and a file that is too large are told in words", async ({ serviceWith, open, guard }) => {
  guard.allow(answered(413));
  const service = await serviceWith({ MAX_UPLOAD_BYTES: "1000000", QUOTA_BYTES: "1500000" });
  const owner = await setUpOwner(service.url, service.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const page = await open(owner, `/projects/${project.id}/chat`);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/api/v2/uploads") && asked.push(request.method()));
  // The page may be there a moment before it knows the limit: then the service is asked.
  await expect(async () => {
    if ((await card(page, "huge.bin").count()) > 0) await page.getByRole("button", { name: "Remove huge.bin" }).click();
    asked.length = 0;
    await choose(page, file("huge.bin", 1_000_001));
    await expect(card(page, "huge.bin")).toContainText("Failed: Larger than the 1 MB that this service allows.", { timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole("button", { name: "Try huge.bin again" })).toHaveCount(0);
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Remove huge.bin" }).click();

  await choose(page, file("first.bin", 900_000));
  await expect(card(page, "first.bin")).toContainText("Uploaded");
  await choose(page, file("second.bin", 900_000));
  await expect(card(page, "second.bin")).toContainText("Failed: Your organisation has no room left for this file.");
  await expect(page.getByRole("button", { name: "Try second.bin again" })).toBeVisible();
  await expect(page.getByText("Try it again or remove it to send.")).toBeVisible();
  await page.getByRole("button", { name: "Remove second.bin" }).click();
  await send(page, "what fits");
  await expect(message(page, "what fits")).toContainText("first.bin");
});

test("where the limit is not known before, the service says that a file is too large", async ({ serviceWith, open, guard }) => {
  guard.allow(answered(413));
  const service = await serviceWith({ MAX_UPLOAD_BYTES: "1000000" });
  const owner = await setUpOwner(service.url, service.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const page = await open(owner, "/");
  await page.route("**/api/v2/service", () => {});
  await page.goto(`${owner.url}/projects/${project.id}/chat`);
  await choose(page, file("huge.bin", 1_000_001));
  await expect(card(page, "huge.bin")).toContainText("Failed: The file is larger than the 1,000,000 bytes that are allowed.");
});

test("a folder that is dropped is not taken, with a line that says so; files beside it are", async ({ pair: { ana, project }, open }) => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-drop-"));
  try {
    mkdirSync(join(folder, "Stems"));
    writeFileSync(join(folder, "Stems", "inside.bin"), "inside");
    writeFileSync(join(folder, "beside.bin"), "beside");
    const page = await open(ana, `/projects/${project.id}/chat`);
    await expect(page.getByRole("textbox", { name: /^Message / })).toBeVisible();
    await dropPaths(page, [join(folder, "Stems"), join(folder, "beside.bin")]);
    await expect(page.getByRole("status").filter({ hasText: "Folders cannot be uploaded here. Choose the files in them." })).toBeVisible();
    await expect(card(page, "beside.bin")).toContainText("Uploaded");
    await expect(tray(page).getByRole("listitem")).toHaveCount(1);
    // The line goes with the next act.
    await choose(page, file("more.bin", 500));
    await expect(page.getByText("Folders cannot be uploaded here.")).toHaveCount(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what is under the hand may change just before it lets go: nothing that is dropped is lost", async ({ pair: { ana, ben, project }, open }) => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-drop-"));
  try {
    writeFileSync(join(folder, "bounce.bin"), "bounce");
    const page = await open(ana, `/projects/${project.id}/chat`);
    await expect(page.getByText("No messages yet")).toBeVisible();
    await dropPaths(page, [join(folder, "bounce.bin")], {
      async meanwhile() {
        await write(ben, project.id, "Is it there?");
        await expect(message(page, "Is it there?")).toBeVisible();
      },
    });
    await expect(card(page, "bounce.bin")).toContainText("Uploaded");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("bytes that the browser has not kept are chosen again, and the upload goes on where it stood", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  const big = file("forgotten.bin", 4_000_000);
  const rate = await lineOf(page);
  await rate(500_000);
  await choose(page, big);
  await expect.poll(async () => Number(await bar(tray(page), big.name).getAttribute("aria-valuenow"))).toBeGreaterThan(5);
  // As a browser does that runs out of room.
  await page.evaluate(async () => {
    const opened = indexedDB.open("talkback.uploads");
    await new Promise((resolve) => (opened.onsuccess = resolve));
    const cleared = opened.result.transaction("bytes", "readwrite").objectStore("bytes").clear();
    await new Promise((resolve) => (cleared.onsuccess = resolve));
  });
  await page.reload();
  await rate(null);
  await expect(card(page, big.name)).toContainText("This browser has not kept the file. Choose it again to go on.");
  const began: string[] = [];
  page.on("request", (request) => request.url().includes("/api/v2/uploads") && began.push(request.method()));
  const again = async (chosen: typeof big) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: `Choose ${big.name} again` }).click();
    await (await chooser).setFiles(chosen);
  };
  await again(file(big.name, 100));
  await expect(card(page, big.name)).toContainText(`That is another file. Choose ${big.name} with the same size.`);
  await again(big);
  await expect(card(page, big.name)).toContainText("Uploaded");
  expect(began).not.toContain("POST");
  await send(page, "found it");
  await expect(message(page, "found it")).toContainText(big.name);
  expect(await namesIn(ana, project)).toEqual([big.name]);
});

test("two tabs upload at once, each its own, and no file comes twice", async ({ pair: { ana, project }, open }) => {
  const first = await open(ana, `/projects/${project.id}/chat`);
  const rate = await lineOf(first);
  await rate(400_000);
  await choose(first, file("from the first.bin", 2_000_000));
  await expect.poll(async () => Number(await bar(tray(first), "from the first.bin").getAttribute("aria-valuenow"))).toBeGreaterThan(5);
  // The second tab finds what the first one has noted, and leaves it alone.
  const second = await first.context().newPage();
  await second.goto(first.url());
  await choose(second, file("from the second.bin", 700_000));
  await expect(card(second, "from the second.bin")).toContainText("Uploaded");
  await expect(card(second, "from the first.bin")).toHaveCount(0);
  await expect(card(first, "from the second.bin")).toHaveCount(0);
  await rate(null);
  await expect(card(first, "from the first.bin")).toContainText("Uploaded");
  await send(second, "two");
  await send(first, "one");
  for (const page of [first, second]) {
    await expect(message(page, "two")).toContainText("from the second.bin");
    await expect(message(page, "one")).toContainText("from the first.bin");
    await page.reload();
    await expect(message(page, "one")).toContainText("from the first.bin");
    await expect(tray(page)).toHaveCount(0);
  }
  expect(await namesIn(ana, project)).toEqual(["from the first.bin", "from the second.bin"]);
});
