import { history, inviteLink, PASSWORD, type Person } from "../../fixtures/api.ts";
import { answered, NETWORK_LOSS } from "../../fixtures/guard.ts";
import { composer, expectSent, message, rail, send } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

const bodies = async (person: Person, projectId: number) => (await history(person, projectId)).map(({ body }) => body);

test("what waits in a tab is never sent as somebody who came in by another tab, and goes out when its writer is back", async ({
  house: { owner },
  pair: { ana, project },
  open,
  guard,
}, info) => {
  guard.allow(answered(412));
  guard.allow(/ERR_FAILED/);
  const tab = await open(ana, `/projects/${project.id}/chat`);
  let cut = true;
  await tab.route("**/v1/account/projects/chat_message", (route) => (cut ? route.abort() : route.continue()));
  await send(tab, "Ana wrote this");
  await expect(message(tab, "Ana wrote this")).toContainText("Waiting");

  const other = await tab.context().newPage();
  await other.goto(await inviteLink(owner, "member", [project.id]));
  const name = unique("Cleo", info.testId);
  await other.getByRole("textbox", { name: "Your name" }).fill(name);
  await other.getByRole("textbox", { name: "E-mail" }).fill(`${name.replaceAll(" ", ".")}@talkback.test`);
  await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: "Join" }).click();
  await expect(rail(other)).toBeVisible();

  // The route stays: taking it away while the tab loads anew could leave that load without an answer.
  cut = false;
  await expect(rail(tab).getByRole("link", { name })).toBeVisible();
  await expect(composer(tab)).toBeVisible();
  for (const page of [tab, other]) await expect(message(page, "Ana wrote this")).toHaveCount(0);
  expect(await history(ana, project.id)).toEqual([]);

  await tab.context().addCookies([{ name: ana.cookie.split("=")[0]!, value: ana.cookie.slice(ana.cookie.indexOf("=") + 1), url: ana.url }]);
  // In a tab of her own: the others notice her by themselves, and load anew at that moment.
  const back = await tab.context().newPage();
  await back.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect.poll(async () => (await history(ana, project.id)).map(({ body, account_id }) => [body, account_id])).toEqual([["Ana wrote this", ana.id]]);
});

test("nobody else sees or sends what was left behind; it waits for its writer", async ({ pair: { ana, ben, project }, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  // What was on its way while the cookie changes hands.
  guard.allow(/status of (401|412)/);
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
