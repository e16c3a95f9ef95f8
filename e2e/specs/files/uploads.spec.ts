import { createHash } from "node:crypto";
import type { JSHandle, Locator, Page } from "@playwright/test";
import { patience } from "../../../playwright.config.ts";
import { history, setUpOwner, createProject, type Person } from "../../fixtures/api.ts";
import { bar, card, choose, file, giveFiles, lineOf, namesIn, tray, type Named } from "../../fixtures/choosing.ts";
import { answered, NETWORK_LOSS } from "../../fixtures/guard.ts";
import { startLine } from "../../fixtures/line.ts";
import { expect, test } from "../../fixtures/network.ts";
import { composer, expectSent, message, railProject, send, textsInOrder, timeline } from "../../fixtures/pages.ts";
import { unique } from "../../fixtures/test.ts";

const sum = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Holds files over the page until it says so; a hand says that it holds all the time. */
const holdOver = (page: Page, dataTransfer: JSHandle<DataTransfer>, words: string) =>
  expect(async () => {
    await page.dispatchEvent("main", "dragover", { dataTransfer });
    await expect(page.getByText(words)).toBeVisible({ timeout: 1_000 });
  }).toPass();

/** Lets a person drop or paste files: the browser gives tests no hand for it. */
async function bring(page: Page, how: "drop" | "paste", files: Named[]): Promise<void> {
  const data = await page.evaluateHandle(
    (all) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, base64 } of all)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, { type: mimeType }));
      return transfer;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString("base64") })),
  );
  if (how === "drop") {
    await holdOver(page, data, "Drop to upload");
    await page.dispatchEvent("main", "drop", { dataTransfer: data });
    await expect(page.getByText("Drop to upload")).toHaveCount(0);
  } else {
    await composer(page).evaluate((element, transfer) => {
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
    }, data);
  }
}

/** The attachments of a project's messages, with what the service has stored of each. */
async function stored(person: Person, projectId: number) {
  const messages = await history(person, projectId);
  return Promise.all(
    messages.flatMap(({ body, attachments }) =>
      attachments.map(async ({ name, url }) => {
        const answer = await fetch(url, { headers: { cookie: person.cookie } });
        return { body, name, sum: sum(new Uint8Array(await answer.arrayBuffer())) };
      }),
    ),
  );
}

const moving = async (within: Locator, name: string) =>
  expect.poll(async () => Number((await bar(within, name).getAttribute("aria-valuenow")) ?? 0)).toBeGreaterThan(5);

test("files are chosen, dropped and pasted, removed and refused, and go with a message in their order", async ({
  house: { owner },
  newPerson,
  open,
  network,
  guard,
}, info) => {
  const project = await createProject(owner, unique("Here", info.testId));
  const other = await createProject(owner, unique("There", info.testId));
  const [ana, ben] = await Promise.all([newPerson("Ana", "member", [project.id, other.id]), newPerson("Ben", "member", [project.id])]);
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  const files = [file("chosen.bin", 5_000), file("dropped.bin", 70_000), file("pasted.bin", 300)];

  await test.step("a file that is refused fails its card in the service's words and can be tried again", async () => {
    guard.allow(answered(413));
    const refusal = await network.refuse(hers, "**/api/v2/uploads", 413, "No room left.");
    await choose(hers, files[0]!);
    await expect(card(hers, "chosen.bin")).toContainText("Failed: No room left.");
    await refusal.end();
    await hers.getByRole("button", { name: "Try chosen.bin again" }).click();
    await expect(card(hers, "chosen.bin")).toContainText("Uploaded");
  });

  await test.step("each project keeps its files while another one is open", async () => {
    await railProject(hers, other.name).click();
    await expect(composer(hers)).toHaveAccessibleName(`Message ${other.name}`);
    await expect(tray(hers)).toHaveCount(0);
    await railProject(hers, project.name).click();
    await expect(card(hers, "chosen.bin")).toContainText("Uploaded");
  });

  await test.step("they go with a message in their order", async () => {
    await bring(hers, "drop", [files[1]!]);
    await bring(hers, "paste", [files[2]!]);
    for (const { name } of files) await expect(card(hers, name)).toContainText("Uploaded");
    await send(hers, "three files");
    await expect(tray(hers)).toHaveCount(0);
    for (const { name } of files) await expect(message(his, "three files")).toContainText(name);
    expect(await stored(ana, project.id)).toEqual(files.map(({ name, buffer }) => ({ body: "three files", name, sum: sum(buffer) })));
  });

  const sent = files.map(({ name }) => name);
  const held = async () => (await namesIn(ana, project)).filter((name) => !sent.includes(name));

  await test.step("an empty one is refused, and nothing goes before it is removed", async () => {
    await choose(hers, file("kept.bin", 2_000), file("regretted.bin", 900), file("offline.bin", 900), file("nothing.bin", 0));
    await expect(card(hers, "nothing.bin")).toContainText("Failed: The file is empty.");
    await expect(hers.getByText("Try it again or remove it to send.")).toBeVisible();
    await composer(hers).press("Enter");
    await expect(tray(hers)).toBeVisible();
    for (const name of ["kept.bin", "regretted.bin", "offline.bin"]) await expect(card(hers, name)).toContainText("Uploaded");
    expect(await held()).toEqual(["kept.bin", "offline.bin", "regretted.bin"]);
    await hers.getByRole("button", { name: "Remove nothing.bin" }).click();
  });

  await test.step("what is taken out of the composer after its upload does not stay behind, also when the network was away", async () => {
    guard.allow(NETWORK_LOSS);
    await hers.getByRole("button", { name: "Remove regretted.bin" }).click();
    await expect.poll(held).toEqual(["kept.bin", "offline.bin"]);
    await hers.context().setOffline(true);
    await hers.getByRole("button", { name: "Remove offline.bin" }).click();
    await expect(card(hers, "offline.bin")).toHaveCount(0);
    await hers.context().setOffline(false);
    await expect.poll(held).toEqual(["kept.bin"]);
  });

  await test.step("a file goes without words, a removed one does not go", async () => {
    await composer(hers).press("Enter");
    await expect(tray(hers)).toHaveCount(0);
    const fourth = async () => (await stored(ana, project.id)).slice(files.length).map(({ body, name }) => [body, name]);
    await expect.poll(fourth).toEqual([["", "kept.bin"]]);
    expect(await held()).toEqual(["kept.bin"]);
  });
});

test("over a slow line a message waits for its files, and a reload interrupts no upload, with bytes that the browser has kept or that are chosen again", async ({
  pair: { ana, project },
  open,
  network,
}) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  const rate = await lineOf(page);

  await test.step("a message waits for its files, holds nobody, and goes by itself, once", async () => {
    const big = file("slow.bin", 4_000_000);
    await rate(500_000);
    await choose(page, big);
    await send(page, "with the bounce");
    const row = message(page, "with the bounce");
    await expect(row).toContainText("Waiting for 1 upload…");
    await moving(row, big.name);
    await page.getByRole("button", { name: `Pause ${big.name}` }).click();
    await expect(row).toContainText("Paused at");
    await send(page, "meanwhile");
    await expect.poll(async () => (await history(ana, project.id)).map(({ body }) => body)).toEqual(["meanwhile"]);
    await page.getByRole("button", { name: `Go on with ${big.name}` }).click();
    await rate(null);
    await expect.poll(() => stored(ana, project.id)).toEqual([{ body: "with the bounce", name: big.name, sum: sum(big.buffer) }]);
    await expect(timeline(page).getByText("Waiting for")).toHaveCount(0);
    await expect.poll(() => textsInOrder(page, /with the bounce|meanwhile/)).toEqual(["meanwhile", "with the bounce"]);
  });

  await test.step("a reload interrupts an upload, which goes on with the bytes that the browser has kept", async () => {
    const big = file("reloaded.bin", 4_000_000);
    await rate(500_000);
    await choose(page, big);
    await moving(tray(page), big.name);
    const began = network.watch(page, /\/api\/v2\/uploads/);
    await page.reload();
    await expect(card(page, big.name)).toBeVisible();
    await rate(null);
    await expect(card(page, big.name)).toContainText("Uploaded");
    // It was not begun a second time.
    expect(began.some((one) => one.startsWith("HEAD"))).toBe(true);
    expect(began.filter((one) => one.startsWith("POST"))).toEqual([]);
    await send(page, "after the reload");
    await expect.poll(async () => (await stored(ana, project.id)).slice(1)).toEqual([{ body: "after the reload", name: big.name, sum: sum(big.buffer) }]);
    await expect(tray(page)).toHaveCount(0);
  });

  await test.step("bytes that the browser has not kept are chosen again, and the upload goes on where it stood", async () => {
    const big = file("forgotten.bin", 4_000_000);
    await rate(500_000);
    await choose(page, big);
    await moving(tray(page), big.name);
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
    const began = network.watch(page, /\/api\/v2\/uploads/);
    const again = async (chosen: typeof big) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: `Choose ${big.name} again` }).click();
      await giveFiles(await chooser, [chosen]);
    };
    await again(file(big.name, 100));
    await expect(card(page, big.name)).toContainText(`That is another file. Choose ${big.name} with the same size.`);
    await again(big);
    await expect(card(page, big.name)).toContainText("Uploaded");
    expect(began.filter((one) => one.startsWith("POST"))).toEqual([]);
    await send(page, "found it");
    await expect(message(page, "found it")).toContainText(big.name);
    expect(await namesIn(ana, project)).toEqual([big.name, "reloaded.bin", "slow.bin"]);
  });
});

test("a guest brings files too", async ({ pair: { ben, project }, newPerson, open }) => {
  const page = await open(await newPerson("Gus", "guest", [project.id]), `/projects/${project.id}/chat`);
  await choose(page, file("from a guest.bin", 700));
  await bring(page, "drop", [file("dropped.bin", 700)]);
  for (const name of ["from a guest.bin", "dropped.bin"]) await expect(card(page, name)).toContainText("Uploaded");
  // What one has brought oneself may be taken back.
  await page.getByRole("button", { name: "Remove dropped.bin" }).click();
  await expect.poll(() => namesIn(ben, project)).toEqual(["from a guest.bin"]);
  await send(page, "mine");
  await expect.poll(() => stored(ben, project.id)).toMatchObject([{ body: "mine", name: "from a guest.bin" }]);
});

test("where a service takes no files the ways to bring some say so", async ({ pair: { ana, project }, open, network }) => {
  const page = await open(ana, "/icon.svg");
  await network.edit(page, "**/api/v2/service", ({ data, ...rest }) => ({ ...rest, data: { ...(data as object), features: ["chat"] } }));
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  const plus = page.getByRole("button", { name: "Attach files: This service takes no files." });
  await expect(plus).toHaveAttribute("aria-disabled", "true");
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["x"], "x.wav"));
    return transfer;
  });
  await holdOver(page, data, "Files cannot be dropped here");
  await page.dispatchEvent("main", "drop", { dataTransfer: data });
  await expect(page.getByRole("status").filter({ hasText: "This service takes no files." })).toBeVisible();
  await expect(tray(page)).toHaveCount(0);
});

test("a cut line interrupts an upload, which goes on where it stood", async ({ serviceWith, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const line = await startLine();
  try {
    const service = await serviceWith((port) => {
      line.to(port);
      return { PUBLIC_URL: `http://127.0.0.1:${line.port}` };
    });
    const through = (link: string) => link.replace(service.url, `http://127.0.0.1:${line.port}`);
    const ana = await setUpOwner(through(service.url), through(service.setupLink()));
    const project = await createProject(ana, "Nightdrive");
    const page = await open(ana, `/projects/${project.id}/chat`);
    const big = file("cut.bin", 4_000_000);
    const rate = await lineOf(page);
    await rate(700_000);
    await choose(page, big);
    await moving(tray(page), big.name);
    line.cut();
    await expect(card(page, big.name)).toContainText("Waiting for the connection");
    line.mend();
    await rate(null);
    await expect(card(page, big.name)).toContainText("Uploaded");
    await send(page, "after the cut");
    await expectSent(page, "after the cut");
    await expect.poll(() => stored(ana, project.id)).toEqual([{ body: "after the cut", name: big.name, sum: sum(big.buffer) }]);
  } finally {
    line.close();
  }
});

test("a service that is killed during an upload goes on with it, and the waiting message arrives once", async ({ ownService, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const page = await open(owner, `/projects/${project.id}/chat`);
  const big = file("killed.bin", 4_000_000);
  const rate = await lineOf(page);
  await rate(700_000);
  await choose(page, big);
  await send(page, "through the storm");
  const row = message(page, "through the storm");
  await moving(row, big.name);
  await ownService.kill();
  await expect(row).toContainText("Waiting for the connection");
  await rate(null);
  await ownService.start();
  await expect
    .poll(() => stored(owner, project.id), { timeout: 40_000 * patience })
    .toEqual([{ body: "through the storm", name: big.name, sum: sum(big.buffer) }]);
  await expect(row).toHaveCount(1);
});
