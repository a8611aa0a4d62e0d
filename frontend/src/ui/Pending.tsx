/** What stands where something is loading for the first time: nothing for 150 ms, then bars. What was
 * there before stays instead, wherever there was something. */
import { Skeleton, Stack } from "@mantine/core";
import { useEffect, useState } from "react";

export function Pending({ lines = 4 }: { lines?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  const bars = Array.from({ length: lines }, (_, at) => `${92 - ((at * 17) % 40)}%`);
  return (
    <Stack aria-hidden="true" gap="md" p="lg">
      {bars.map((width) => (
        <Skeleton key={width} height={14} width={width} animate={false} />
      ))}
    </Stack>
  );
}
