import { Code, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '../../../../src/calls/calls.ts';
import { Fact, Facts } from '../../components/Facts.tsx';
import { Time } from '../../components/Time.tsx';

interface Props {
  readonly course: CallReply<'courses.show'>;
}

/** What a course is now. */
export function CourseFacts({ course }: Props) {
  const { t, i18n } = useTranslation();
  const { described, warnings, custom } = course;
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <Facts>
      <Fact label={t('registrations.courseGuid')}>
        <Code>{course.course_guid}</Code>
      </Fact>
      <Fact label={t('course.application')}>{course.course_provider_id}</Fact>
      <Fact label={t('courses.versions')}>{number.format(course.versions)}</Fact>
      <Fact label={t('registrations.title')}>{number.format(course.registrations)}</Fact>
      <Fact label={t('course.size')}>
        {t('course.bytes', { size: number.format(course.size) })}
      </Fact>
      {described.duration && <Fact label={t('course.duration')}>{described.duration}</Fact>}
      {described.typicaltime && (
        <Fact label={t('course.typicalTime')}>{described.typicaltime}</Fact>
      )}
      {described.keywords.length > 0 && (
        <Fact label={t('course.keywords')}>{described.keywords.join(', ')}</Fact>
      )}
      <Fact label={t('registrations.created')}>
        <Time at={course.created_at} />
      </Fact>
      <Fact label={t('registrations.updated')}>
        <Time at={course.updated_at} />
      </Fact>
      {warnings.length > 0 && (
        <Fact label={t('course.warnings')}>
          <List size="sm">
            {warnings.map((warning, place) => (
              <List.Item key={place}>{warning}</List.Item>
            ))}
          </List>
        </Fact>
      )}
      {custom !== null && (
        <Fact label={t('registration.custom')}>
          <Code block tabIndex={0} mah={160} style={{ overflow: 'auto' }}>
            {custom}
          </Code>
        </Fact>
      )}
    </Facts>
  );
}
