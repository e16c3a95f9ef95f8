/** A press on the microphone while the code of the recorder may still be on its way: taken back, or its chat left meanwhile, it records nothing. */
export function createPress<Desk>(open: () => Promise<Desk>) {
  let last = 0;
  return {
    begin(start: (desk: Desk) => void, failed: () => void): void {
      last += 1;
      const mine = last;
      open().then(
        (desk) => mine === last && start(desk),
        () => mine === last && failed(),
      );
    },
    takeBack: () => void (last += 1),
  };
}
