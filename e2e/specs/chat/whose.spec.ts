import { history, inviteLink, PASSWORD, stateOf, type Person } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { composer, expectSent, message, rail, send } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

const SENDING = "**/v1/account/projects/chat_message";

test("what waits in a browser is never seen by or sent as somebody else, and goes out when its writer is back", async ({
  house: { owner },
  pair: { ana, ben, project },
  open,
  guard,
}, info) => {
  guard.allow(answered(412));
  guard.allow(answered(401));
  guard.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  const tab = await open(ana, `/projects/${project.id}/chat`);
  const context = tab.context();
  const stored = async () => (await history(ana, project.id)).map(({ body, account_id }) => [body, account_id]);
  const becomes = (person: Person) => context.addCookies(stateOf(person).cookies);

  await test.step("somebody comes in by another tab", async () => {
    await tab.route(SENDING, (route) => route.abort());
    await send(tab, "Ana wrote this");
    await expect(message(tab, "Ana wrote this")).toContainText("Waiting");

    const other = await context.newPage();
    await other.goto(await inviteLink(owner, "member", [project.id]));
    const name = unique("Cleo", info.testId);
    await other.getByRole("textbox", { name: "Your name" }).fill(name);
    await other.getByRole("textbox", { name: "E-mail" }).fill(`${name.replaceAll(" ", ".")}@talkback.test`);
    await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await other.getByRole("button", { name: "Join" }).click();
    await expect(rail(other)).toBeVisible();

    await tab.unroute(SENDING);
    await expect(rail(tab).getByRole("link", { name })).toBeVisible();
    await expect(composer(tab)).toBeVisible();
    for (const page of [tab, other]) await expect(message(page, "Ana wrote this")).toHaveCount(0);
    expect(await stored()).toEqual([]);

    await becomes(ana);
    // In a tab of her own: the others notice her by themselves, and load anew at that moment.
    const back = await context.newPage();
    await back.goto(`${ana.url}/projects/${project.id}/chat`);
    await expect.poll(stored).toEqual([["Ana wrote this", ana.id]]);
    await back.close();
    await other.close();
  });

  await test.step("somebody comes in where the writer has left", async () => {
    await tab.goto(`${ana.url}/projects/${project.id}/chat`);
    await expectSent(tab, "Ana wrote this");
    await tab.route(SENDING, (route) => route.abort("internetdisconnected"));
    await send(tab, "from Ana alone");
    await expect(message(tab, "from Ana alone")).toContainText("Waiting for the connection");
    await becomes(ben);
    await tab.goto(`${ana.url}/projects/${project.id}/chat`);
    await expect(composer(tab)).toBeVisible();
    await tab.unroute(SENDING);
    await send(tab, "from Ben");
    await expectSent(tab, "from Ben");
    await expect(message(tab, "from Ana alone")).toHaveCount(0);
    expect((await stored()).slice(1)).toEqual([["from Ben", ben.id]]);
    await becomes(ana);
    await tab.goto(`${ana.url}/projects/${project.id}/chat`);
    await expectSent(tab, "from Ana alone");
    expect((await stored()).slice(1)).toEqual([
      ["from Ben", ben.id],
      ["from Ana alone", ana.id],
    ]);
  });
});
