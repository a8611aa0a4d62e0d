import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { makeQueryClient } from "./queries";

it("an answer that was on its way before a change is asked for again", async () => {
  const queries = makeQueryClient();
  const answers: ((text: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(queries, { queryKey: ["list"], queryFn });
  const leave = observer.subscribe(() => {});
  const again = queries.invalidateQueries({ queryKey: ["list"] });
  expect(answers).toHaveLength(2);
  answers[1]?.("after");
  answers[0]?.("before");
  await again;
  expect(observer.getCurrentResult().data).toBe("after");
  expect(observer.getCurrentResult().fetchStatus).toBe("idle");
  leave();
  queries.clear();
});
