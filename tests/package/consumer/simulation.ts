// Explores a simulation, on one core and on two. It prints what went wrong and the plan, which are the same on every runtime.
import {
  assertClean,
  exploreInWorkers,
  type Plan,
  type Report,
} from "@kubeloop/testing/simulation";
import { sim } from "./disks.ts";

const report: Report = await sim.explore({ budget: { plans: 100 } });
let message = "";
try {
  assertClean(report);
} catch (error) {
  message = (error as Error).message;
}
const plan: Plan | undefined = report.findings[0]?.plan;
if (plan === undefined) throw new Error(`Nothing was found: ${report}`);
const record = await sim.replay(JSON.stringify(plan));
console.log(/^WRONG.*/m.exec(message)?.[0], record.wrong.length, JSON.stringify(plan));

// One seed, one trace: the same line on every runtime.
const hashes: string[] = [];
for await (const plan of sim.plans()) {
  if (hashes.length >= 60) break;
  for (const seed of [plan.seed, plan.seed + 1]) {
    const late = { seed, faults: [...plan.faults, { fault: "late" as const }] };
    for (const one of [{ ...plan, seed }, late]) {
      hashes.push((await sim.replay(one)).history.hash());
    }
  }
}
console.log(hashes.join(" "));

const module = new URL("./disks.ts", import.meta.url);
const inWorkers = await exploreInWorkers(module, { workers: 2, budget: { plans: 100 } });
const isSame = JSON.stringify(inWorkers) === JSON.stringify(report);
console.log(`in workers: ${isSame ? "the same" : inWorkers}`);
