// Lints one of the texts in a thread whose memory is limited.
import { parentPort, workerData } from 'node:worker_threads';
import { lintModule, readModule } from '@griddep/ptx';
import { PTX_TEXTS, type PtxText } from './ptx-texts.ts';

const name = workerData as PtxText;
let findings = 0;
for (const report of lintModule(readModule(PTX_TEXTS[name](), name))) findings += report.findings.length + report.more;
parentPort?.postMessage(findings);
