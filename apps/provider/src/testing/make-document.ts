/** Makes the smallest PDF file that readers show: one empty page. */
export function makeDocument(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >>',
  ];
  let text = '%PDF-1.4\n';
  const add = (...lines: readonly string[]) => (text += `${lines.join('\n')}\n`);
  const offsets = objects.map((object, at) => {
    const offset = String(text.length).padStart(10, '0');
    add(`${at + 1} 0 obj`, object, 'endobj');
    return `${offset} 00000 n `;
  });
  const start = String(text.length);
  const size = objects.length + 1;
  add('xref', `0 ${size}`, '0000000000 65535 f ', ...offsets);
  add('trailer', `<< /Size ${size} /Root 1 0 R >>`, 'startxref', start, '%%EOF');
  return Buffer.from(text);
}
