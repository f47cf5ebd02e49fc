# Tells training/build_info.cpp how the program is built: the flags that can change its results.
function(ndnf_record_build target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_target_property(options ndnf_options INTERFACE_COMPILE_OPTIONS)
  list(FILTER options EXCLUDE REGEX "^-W")
  list(JOIN options " " options)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${options}" flags)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/ndnf/training/build_info.cpp TARGET_DIRECTORY ${target} PROPERTIES
    COMPILE_DEFINITIONS "NDNF_VERSION=\"${PROJECT_VERSION}\";NDNF_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\";NDNF_BUILD_FLAGS=\"${flags}\";NDNF_ARCHITECTURE=\"${CMAKE_SYSTEM_PROCESSOR}\";NDNF_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\"")
endfunction()
