import { buildPackage } from '@registrar/sample-courses';

const manifest = `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="draft" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>Knots</title>
      <item identifier="lesson" identifierref="pages">
        <title>Three knots</title>
        <adlcp:masteryscore>180</adlcp:masteryscore>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="pages" type="webcontent" adlcp:scormtype="sco" href="lesson.html"/>
  </resources>
</manifest>
`;

/** A package that no import accepts: its page is missing, and a score is out of range. */
export const buildDraftPackage = (): Promise<Buffer> =>
  buildPackage({ 'imsmanifest.xml': manifest, 'knots.html': '<!doctype html><p>Draft</p>' });
