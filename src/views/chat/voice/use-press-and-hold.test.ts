import { expect, test } from "vitest";
import { createPressGuard } from "./use-press-and-hold.ts";

test("only the last press begins, and none that was canceled before the code loaded", async () => {
  const calls: string[] = [];
  const code = Promise.withResolvers<string>();
  const press = createPressGuard(() => code.promise);
  const begin = (name: string) =>
    press.begin(
      (loaded) => calls.push(`${name} ${loaded}`),
      () => calls.push(`${name} failed`),
    );
  begin("a");
  begin("b");
  const canceled = createPressGuard(() => code.promise);
  canceled.begin(
    () => calls.push("left"),
    () => undefined,
  );
  canceled.cancel();
  code.resolve("recorder");
  await code.promise;
  expect(calls).toEqual(["b recorder"]);
  const broken = createPressGuard(() => Promise.reject(new Error("offline")));
  const failed = new Promise<void>((resolve) => broken.begin(() => undefined, resolve));
  await failed;
});
