/**
 * Text of a Kineto trace of at least so many bytes, in pieces: for each kernel its launch, the flow between the two, an
 * operator of the framework and two Python functions, as profilers with stacks write them.
 */
export function* traceText(bytes: number): Generator<string> {
  yield '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA H200","numSms":132}],"traceEvents":[\n';
  let written = 0;
  for (let n = 1; written < bytes; n += PER_PIECE) {
    const rows: string[] = [];
    for (let i = n; i < n + PER_PIECE; i++) rows.push(rowsOf(i));
    const text = `${n === 1 ? '' : ',\n'}${rows.join(',\n')}`;
    written += text.length;
    yield text;
  }
  yield '\n]}\n';
}

const PER_PIECE = 500;
const KERNELS = [
  'rms_norm<float>(float*)',
  'gemm_bf16_128x64',
  'void at::native::vectorized_elementwise_kernel<4, F>(int, F)',
];

function rowsOf(n: number): string {
  const at = 5_134_697_909_709 + 10 * n;
  const host = '"pid":912,"tid":912';
  const kernel = KERNELS[n % KERNELS.length] as string;
  const arguments_ = `"device":0,"context":1,"stream":7,"correlation":${n},"registers per thread":32,"shared memory":1024,"grid":[${1 + (n % 8)},1,1],"block":[256,1,1],"est. achieved occupancy %":0`;
  return [
    `{"ph":"X","cat":"python_function","name":"torch/nn/modules/module.py(1773): _wrapped_call_impl",${host},"ts":${at}.001,"dur":9.5,"args":{"Python parent id":${n},"Python id":${n + 1},"Ev Idx":${n}}}`,
    `{"ph":"X","cat":"python_function","name":"model.py(${n % 100}): forward \\"layer\\"",${host},"ts":${at}.101,"dur":9.25,"args":{"Python id":${n},"Ev Idx":${n}}}`,
    `{"ph":"X","cat":"cpu_op","name":"aten::mm",${host},"ts":${at}.201,"dur":8.125,"args":{"External id":${n},"Record function id":0,"Ev Idx":${n}}}`,
    `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel",${host},"ts":${at}.501,"dur":3.217,"args":{"External id":${n},"cbid":211,"correlation":${n}}}`,
    `{"ph":"s","id":${n},${host},"ts":${at}.501,"cat":"ac2g","name":"ac2g"}`,
    `{"ph":"X","cat":"kernel","name":${JSON.stringify(kernel)},"pid":0,"tid":7,"ts":${at + 4}.032,"dur":5.536,"args":{"External id":${n},"queued":0,${arguments_}}}`,
    `{"ph":"f","id":${n},"pid":0,"tid":7,"ts":${at + 4}.032,"cat":"ac2g","name":"ac2g","bp":"e"}`,
  ].join(',\n');
}
