import { history, type Person } from "../../fixtures/api.ts";
import { choose, file, lineOf } from "../../fixtures/choosing.ts";
import { NETWORK_LOSS } from "../../fixtures/guard.ts";
import { composer, connectionLine, expectSent, message, send, textsInOrder } from "../../fixtures/pages.ts";
import { createProject, setUpOwner } from "../../fixtures/api.ts";
import { expect, test } from "../../fixtures/test.ts";

const WRITTEN = Array.from({ length: 8 }, (_, index) => `written ${index + 1}`);
const bodies = async (person: Person, projectId: number) => (await history(person, projectId)).map(({ body }) => body);

test("what is written without a network and left behind in a closed tab goes out once, in order", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const context = page.context();
  await send(page, "before");
  await expectSent(page, "before");
  await context.setOffline(true);
  for (const text of WRITTEN) await send(page, text);
  await expect(connectionLine(page)).toContainText("8 messages wait");
  // A browser whose last tab is closed may end.
  const again = await context.newPage();
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
  expect(await bodies(ana, project.id)).toEqual(["before"]);

  await context.setOffline(false);
  await again.goto(`${ana.url}/projects/${project.id}/chat`);
  for (const text of WRITTEN) await expectSent(again, text);
  await expect.poll(() => bodies(ana, project.id)).toEqual(["before", ...WRITTEN]);
  await expect.poll(() => textsInOrder(again, /before|written \d/)).toEqual(["before", ...WRITTEN]);
  await again.reload();
  await expectSent(again, "written 8");
  expect(await bodies(ana, project.id)).toEqual(["before", ...WRITTEN]);
});

test("two tabs show what waits in both, and send each message once in the order of writing", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const first = await open(ana, `/projects/${project.id}/chat`);
  const second = await first.context().newPage();
  await second.goto(first.url());
  await expect(composer(second)).toBeVisible();
  await first.context().setOffline(true);
  for (const [index, text] of WRITTEN.entries()) {
    await send(index % 2 === 0 ? first : second, text);
    for (const tab of [first, second]) await expect(message(tab, text)).toBeVisible();
  }
  await first.context().setOffline(false);
  for (const tab of [first, second]) {
    for (const text of WRITTEN) await expectSent(tab, text);
    await expect(connectionLine(tab)).toHaveCount(0);
  }
  await expect.poll(() => bodies(ana, project.id)).toEqual(WRITTEN);
});

test("a tab that dies while the service is dead leaves its messages to the other tab", async ({ ownService, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const first = await open(owner, `/projects/${project.id}/chat`);
  const second = await first.context().newPage();
  await second.goto(first.url());
  await expect(composer(second)).toBeVisible();
  // Else the tab shows that nothing can be loaded, in place of what waits.
  await expect(second.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await ownService.kill();
  for (const text of WRITTEN.slice(0, 4)) await send(first, text);
  await expect(message(second, "written 4")).toBeVisible();
  await first.close();
  await ownService.start();
  for (const text of WRITTEN.slice(0, 4)) await expectSent(second, text);
  await expect.poll(() => bodies(owner, project.id), { timeout: 30_000 }).toEqual(WRITTEN.slice(0, 4));
});

test("a message that was refused waits with Retry and Delete in every tab, also after a reload", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(/status of 400/);
  const first = await open(ana, `/projects/${project.id}/chat`);
  const context = first.context();
  await context.route("**/v1/account/projects/chat_message", (route) =>
    route.fulfill({ status: 400, contentType: "application/problem+json", json: { object: "error", status: 400, title: "No", detail: "not today" } }),
  );
  for (const text of ["keep me", "drop me"]) {
    await send(first, text);
    await expect(message(first, text)).toContainText("Not sent: not today");
  }
  await first.reload();
  await expect(message(first, "keep me")).toContainText("Not sent: not today");
  const second = await context.newPage();
  await second.goto(first.url());
  await message(second, "drop me").getByRole("button", { name: "Delete" }).click();
  await expect(message(first, "drop me")).toHaveCount(0);
  await context.unroute("**/v1/account/projects/chat_message");
  await message(second, "keep me").getByRole("button", { name: "Retry" }).click();
  for (const tab of [first, second]) await expect(message(tab, "keep me")).not.toContainText("Not sent");
  await expect.poll(() => bodies(ana, project.id)).toEqual(["keep me"]);
});

test("a message that waits for its file outlasts a reload and takes it along", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const line = await lineOf(page);
  await line(40_000);
  await choose(page, file("bounce.bin", 400_000));
  await composer(page).fill("with the bounce");
  await composer(page).press("Enter");
  await expect(message(page, "with the bounce")).toContainText("Waiting for");
  await page.reload();
  await expect(message(page, "with the bounce")).toBeVisible();
  await line(null);
  await expect.poll(async () => (await history(ana, project.id)).map(({ body, attachments }) => [body, attachments.length])).toEqual([["with the bounce", 1]]);
  await expect(message(page, "with the bounce")).toHaveCount(1);
});

test("nobody else sees or sends what was left behind; it waits for its writer", async ({ pair: { ana, ben, project }, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  guard.allow(/status of 401/);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const context = page.context();
  await context.route("**/v1/account/projects/chat_message", (route) => route.abort("internetdisconnected"));
  await send(page, "from Ana alone");
  await expect(message(page, "from Ana alone")).toContainText("Waiting for the connection");
  const enter = async (person: Person) => {
    await context.clearCookies();
    const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: person.url }]);
    await page.goto(`${person.url}/projects/${project.id}/chat`);
    await expect(composer(page)).toBeVisible();
  };
  await enter(ben);
  await context.unroute("**/v1/account/projects/chat_message");
  await send(page, "from Ben");
  await expectSent(page, "from Ben");
  await expect(message(page, "from Ana alone")).toHaveCount(0);
  expect(await bodies(ana, project.id)).toEqual(["from Ben"]);
  await enter(ana);
  await expectSent(page, "from Ana alone");
  const stored = await history(ana, project.id);
  expect(stored.map(({ body, account_id }) => [body, account_id])).toEqual([
    ["from Ben", ben.id],
    ["from Ana alone", ana.id],
  ]);
});

test("where storage is forbidden messages still go out, and a waiting one says what it is", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const page = await open(ana, "/settings/profile");
  await page.context().addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("forbidden", "SecurityError");
    };
  });
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await send(page, "first");
  await expectSent(page, "first");
  await page.context().setOffline(true);
  await send(page, "second");
  await expect(message(page, "second")).toContainText("This browser does not keep it");
  await page.context().setOffline(false);
  await expectSent(page, "second");
  await expect.poll(() => bodies(ana, project.id)).toEqual(["first", "second"]);
});
